/// How long to wait before the next attempt to connect: longer with each that fails, never the same for everyone.
struct ReconnectBackoff: Sendable, Equatable {
    /// The wait before the first repeated attempt.
    static let shortest = Duration.milliseconds(100)

    /// The longest wait.
    static let longest = Duration.seconds(10)

    private var failures = 0

    /// Whether an attempt failed since the last success.
    var isTrying: Bool {
        failures > 0
    }

    /// Notes an attempt that failed.
    ///
    /// - Parameter random: a number from 0 up to 1.
    /// - Returns: how long to wait before the next attempt: between half of the full wait and all of it, so that agents
    ///   that lost the same gateway do not come back at the same moment.
    mutating func noteFailure(random: Double) -> Duration {
        // Beyond ten doublings the longest wait is reached anyway.
        let full = min(Self.shortest * (1 << min(failures, 10)), Self.longest)
        failures += 1
        return full * (0.5 + random / 2)
    }

    /// Notes that the connection stands: the next failure starts anew.
    mutating func noteSuccess() {
        failures = 0
    }
}
