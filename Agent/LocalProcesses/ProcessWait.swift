/// A wait for something that another process does.
package enum ProcessWait {
    /// The longest wait, unless another one is given.
    package static let timeLimit = Duration.seconds(30)

    /// The time between two looks.
    private static let interval = Duration.milliseconds(20)

    /// Waits until a condition is true.
    ///
    /// - Throws: the error of `isSo`, or `ProcessFailure` with the message `failure` after the time limit.
    package static func orFail(
        with failure: @autoclosure () -> String,
        until isSo: () async throws -> Bool
    ) async throws {
        let isTrue: Void? = try await value(within: timeLimit) { try await isSo() ? () : nil }
        guard isTrue != nil else { throw ProcessFailure.failed(failure()) }
    }

    /// Waits for a value.
    ///
    /// - Parameters:
    ///   - limit: the longest wait; a look at the state happens at least once.
    ///   - look: returns the value, or `nil` if it is not there yet.
    /// - Returns: the value, or `nil` after the time.
    /// - Throws: the error of `look`, and `CancellationError`.
    package static func value<Value>(within limit: Duration, look: () async throws -> Value?) async throws -> Value? {
        let clock = ContinuousClock()
        let deadline = clock.now + limit
        while true {
            if let value = try await look() { return value }
            guard clock.now < deadline else { return nil }
            // A new file and the state of another process cannot be waited for otherwise, so they are polled.
            try await clock.sleep(for: interval)
        }
    }
}
