/// The wait before the next attempt to connect: it gets longer with each failure, and is partly random.
package struct ReconnectBackoff: Sendable, Equatable {
    /// The full wait after the first failure.
    package static let minimum = Duration.milliseconds(100)

    /// The maximum wait.
    package static let maximum = Duration.seconds(10)

    private var failures = 0

    /// Creates the wait before the first attempt that fails.
    package init() {}

    /// Whether an attempt failed since the last success.
    package var hasFailed: Bool {
        failures > 0
    }

    /// Records a failed attempt.
    ///
    /// - Parameter random: a number from 0 up to 1.
    /// - Returns: the wait before the next attempt: between half of the full wait and all of it, so that agents that
    ///   lost the same gateway do not reconnect at the same time.
    package mutating func recordFailure(random: Double) -> Duration {
        // Ten doublings exceed the maximum wait.
        let full = min(Self.minimum * (1 << min(failures, 10)), Self.maximum)
        failures += 1
        return full * (0.5 + random / 2)
    }

    /// Records a successful connection, so that the next failure begins again with the minimum wait.
    package mutating func recordSuccess() {
        failures = 0
    }
}
