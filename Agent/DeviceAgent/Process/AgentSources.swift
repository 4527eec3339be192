internal import TextBasics
package import WaypostSchema

/// The sources of time and randomness for an agent, which tests can replace.
package struct AgentSources: Sendable {
    /// Returns the current time, for events of devices.
    package var now: @Sendable () -> Timestamp

    /// Returns a random number from 0 up to 1.
    package var random: @Sendable () -> Double

    /// Waits; throws if the task is canceled.
    package var sleep: @Sendable (Duration) async throws -> Void

    /// Returns 64 random bits that nobody can guess.
    package var randomBits64: @Sendable () -> UInt64

    /// The manual clock, if `now` reads one.
    package var manualClock: ManualClock?

    /// Creates sources from functions.
    package init(
        now: @escaping @Sendable () -> Timestamp,
        random: @escaping @Sendable () -> Double,
        sleep: @escaping @Sendable (Duration) async throws -> Void,
        randomBits64: @escaping @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }
    ) {
        self.now = now
        self.random = random
        self.sleep = sleep
        self.randomBits64 = randomBits64
    }

    /// Returns a random UUID (RFC 9562, version 4) in its canonical form.
    func makeUUID() -> String {
        let words = [randomBits64(), randomBits64()]
        return UUIDString.make(
            words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } },
            version: 4
        )
    }

    /// Waits until the device's time is `time`; returns `false` if the task was canceled.
    ///
    /// Connections and requests use `sleep`, because they depend on real time, whatever clock the device has.
    func wait(until time: Timestamp) async -> Bool {
        do {
            if let manualClock {
                try await manualClock.sleep(until: time)
            } else {
                // If the clock was set back, there is still time left.
                while case let remaining = time.rawValue - now().rawValue, remaining > 0 {
                    try await sleep(.milliseconds(remaining))
                }
            }
            return true
        } catch {
            return false
        }
    }
}

/// A generator of random numbers that nobody can guess.
struct SourceGenerator: RandomNumberGenerator {
    let sources: AgentSources

    func next() -> UInt64 {
        sources.randomBits64()
    }
}
