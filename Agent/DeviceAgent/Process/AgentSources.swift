package import WaypostSchema

/// Where an agent takes time and randomness from, so that tests can say what both are.
package struct AgentSources: Sendable {
    /// Returns the present moment, for what happens to devices.
    package var now: @Sendable () -> Timestamp

    /// Returns a random number from 0 up to 1.
    package var random: @Sendable () -> Double

    /// Waits; throws once the task is cancelled.
    package var sleep: @Sendable (Duration) async throws -> Void

    /// Returns 64 bits that nobody can guess.
    package var bits: @Sendable () -> UInt64

    /// The clock that is moved by hand, where `now` is what it shows.
    package var manualClock: ManualClock?

    /// Creates sources from functions.
    package init(
        now: @escaping @Sendable () -> Timestamp,
        random: @escaping @Sendable () -> Double,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        bits: @escaping @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }
    ) {
        self.now = now
        self.random = random
        self.sleep = sleep
        self.bits = bits
    }

    /// Waits until the device's time is `moment`; returns whether it is, and not because the task was cancelled.
    ///
    /// Connections and requests are of the real world, and keep to `sleep`, whatever clock the device has.
    func wait(until moment: Timestamp) async -> Bool {
        do {
            if let manualClock {
                try await manualClock.sleep(until: moment)
            } else {
                // A clock that was set back has longer to go.
                while case let rest = moment.rawValue - now().rawValue, rest > 0 {
                    try await sleep(.milliseconds(rest))
                }
            }
            return true
        } catch {
            return false
        }
    }
}

/// Random numbers that nobody can guess.
struct SourceGenerator: RandomNumberGenerator {
    let sources: AgentSources

    func next() -> UInt64 {
        sources.bits()
    }
}
