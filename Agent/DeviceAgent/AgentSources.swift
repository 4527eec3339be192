package import WaypostSchema

/// Where an agent takes time and randomness from, so that tests can say what both are.
package struct AgentSources: Sendable {
    /// Returns the present moment.
    package var now: @Sendable () -> Timestamp

    /// Returns a random number from 0 up to 1.
    package var random: @Sendable () -> Double

    /// Waits; throws once the task is cancelled.
    package var sleep: @Sendable (Duration) async throws -> Void

    /// Creates sources from functions.
    package init(
        now: @escaping @Sendable () -> Timestamp,
        random: @escaping @Sendable () -> Double,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.now = now
        self.random = random
        self.sleep = sleep
    }
}
