/// A wait for something that another process does.
package enum ProcessWait {
    /// The time limit, if the caller has no other one.
    package static let defaultTimeLimit = Duration.seconds(30)

    /// The time between two checks.
    private static let interval = Duration.milliseconds(20)

    /// Waits until a condition is true.
    ///
    /// - Throws: the error of `condition`, or `ProcessFailure` with the message `failure` after the time limit.
    package static func untilTrue(
        orFailWith failure: @autoclosure () -> String,
        _ condition: () async throws -> Bool
    ) async throws {
        let success: Void? = try await forValue(within: defaultTimeLimit) { try await condition() ? () : nil }
        guard success != nil else { throw ProcessFailure.failed(failure()) }
    }

    /// Waits for a value.
    ///
    /// - Parameters:
    ///   - limit: the time limit; `check` is called at least once.
    ///   - check: returns the value, or `nil` if it does not exist yet.
    /// - Returns: the value, or `nil` after the time limit.
    /// - Throws: the error of `check`, and `CancellationError`.
    package static func forValue<Value>(
        within limit: Duration,
        check: () async throws -> Value?
    ) async throws -> Value? {
        let clock = ContinuousClock()
        let deadline = clock.now + limit
        while true {
            if let value = try await check() { return value }
            guard clock.now < deadline else { return nil }
            // A new file and the state of another process cannot be waited for otherwise, so they are polled.
            try await clock.sleep(for: interval)
        }
    }
}
