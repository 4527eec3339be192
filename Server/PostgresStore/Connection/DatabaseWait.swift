/// The wait of a gateway that starts for a database that is not ready, such as one that recovers after a crash.
package struct DatabaseWait: Sendable, Equatable {
    /// The maximum time from the first attempt to open the database to the start of the last one; zero for one attempt.
    package var limit: Duration

    /// The time between two attempts.
    package var interval: Duration

    /// Creates the value from its parts.
    package init(limit: Duration, interval: Duration = .milliseconds(500)) {
        self.limit = limit
        self.interval = interval
    }

    /// Returns the time to wait before the next attempt, or `nil` if there is no further one.
    ///
    /// - Parameters:
    ///   - error: the error of the last attempt.
    ///   - elapsed: the time since the first one.
    /// - Returns: the time; `nil` for an error that time does not change, and after the limit.
    package func pause(after error: PostgresOpeningError, elapsed: Duration) -> Duration? {
        guard case .notReady = error, elapsed + interval <= limit else { return nil }
        return interval
    }

    /// Opens a database, and waits while it is not ready.
    ///
    /// - Parameters:
    ///   - clock: the clock that measures the wait.
    ///   - onWait: called once with the reason, before the first wait.
    ///   - open: makes an attempt to open the database.
    /// - Returns: the result of `open`.
    /// - Throws: the last error of `open`, or `CancellationError` if the task is canceled.
    package func open<Value, WaitClock: Clock>(
        clock: WaitClock,
        onWait: (PostgresOpeningError) -> Void,
        _ open: () throws(PostgresOpeningError) -> Value
    ) async throws -> Value where WaitClock.Duration == Duration {
        let start = clock.now
        var hasReported = false
        while true {
            let result: Result<Value, PostgresOpeningError> = Result { () throws(PostgresOpeningError) in try open() }
            guard case .failure(let error) = result,
                let time = pause(after: error, elapsed: start.duration(to: clock.now))
            else { return try result.get() }
            if !hasReported { onWait(error) }
            hasReported = true
            try await clock.sleep(for: time)
        }
    }
}
