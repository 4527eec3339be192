/// The wait before the next attempt to connect or to send: it gets longer with each failure, and is partly random.
package struct RetryBackoff: Sendable, Equatable {
    /// The full wait after the first failure.
    package static let minimum = Duration.milliseconds(100)

    /// The maximum wait.
    package static let maximum = Duration.seconds(10)

    private var failureCount = 0

    /// Creates the wait before the first attempt that fails.
    package init() {}

    /// Whether an attempt failed since the last success.
    package var hasFailed: Bool {
        failureCount > 0
    }

    /// Records a failed attempt.
    ///
    /// - Parameter random: a number from 0 up to 1.
    /// - Returns: the wait before the next attempt: between half of the full wait and all of it, so that agents that
    ///   lost the same gateway do not reconnect at the same time.
    package mutating func recordFailure(random: Double) -> Duration {
        // Ten doublings exceed the maximum wait.
        let fullWait = min(Self.minimum * (1 << min(failureCount, 10)), Self.maximum)
        failureCount += 1
        return fullWait * (0.5 + random / 2)
    }

    /// Records a success, so that the next failure begins again with the minimum wait.
    package mutating func recordSuccess() {
        failureCount = 0
    }
}
