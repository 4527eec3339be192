import Foundation
import WaypostTestSupport

/// The end of a process that was awaited for a limited time.
package struct LimitedEnd: Sendable {
    /// How it ended; `nil` if that was not awaited.
    package let ended: ChildProcess.Ended?

    /// Whether it was killed because it did not end in time.
    package let wasKilled: Bool

    /// Creates the end of a process.
    package init(ended: ChildProcess.Ended?, wasKilled: Bool) {
        (self.ended, self.wasKilled) = (ended, wasKilled)
    }
}

extension ChildProcess {
    /// The result of waiting for a line.
    package enum LineWait: Sendable, Equatable {
        /// The process has written the line.
        case found

        /// The process has ended without it.
        case ended

        /// The time was over, so the process was killed.
        case killed
    }

    /// Waits until the process has written a line with `text`; if that takes longer than `limit`, kills the process.
    package func waitForLine(with text: String, within limit: Duration) async -> LineWait {
        async let wasKilled = sendKill(after: limit)
        for await line in lines where line.contains(text) { return .found }
        return await wasKilled ? .killed : .ended
    }

    /// Waits until the process has ended; if it does not end in time, kills it.
    package func end(within limit: Duration) async -> LimitedEnd {
        async let wasKilled = sendKill(after: limit)
        let ended = await ended()
        return LimitedEnd(ended: ended, wasKilled: await wasKilled)
    }

    /// Kills the process after a time.
    ///
    /// - Returns: Whether it was killed; `false` if it ended before, or if the task was canceled.
    private func sendKill(after limit: Duration) async -> Bool {
        try? await waitUntil("the process has ended", within: limit) { self.hasEnded }
        guard !Task.isCancelled, !hasEnded else { return false }
        send(SIGKILL)
        return true
    }
}

/// Runs work for a limited time.
///
/// - Parameters:
///   - limit: The maximum time.
///   - condition: The condition that the work makes true, for the error.
///   - work: The work, which is canceled when the time is over.
/// - Returns: The result of the work.
/// - Throws: `NeverTrue` if the time is over, or the error of the work.
package func withLimit<Value: Sendable>(
    _ limit: Duration,
    until condition: String,
    _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask { try await work() }
        group.addTask {
            try await waitUntil(condition, within: limit) { false }
            throw CancellationError()
        }
        defer { group.cancelAll() }
        guard let value = try await group.next() else { throw CancellationError() }
        return value
    }
}
