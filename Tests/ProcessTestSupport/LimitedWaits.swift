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
    /// Waits until the process has written a line with a text; if it does not in time, kills it.
    ///
    /// - Returns: Whether it has; otherwise it has ended or ends.
    package func writes(_ text: String, within limit: Duration) async -> Bool {
        let result: Bool? = try? await withLimit(limit, until: "the process writes '\(text)'") { [lines] in
            for await line in lines where line.contains(text) { return true }
            // The lines also end with the task.
            try Task.checkCancellation()
            return false
        }
        if result == nil { send(SIGKILL) }
        return result ?? false
    }

    /// Waits until the process has ended; if it does not end in time, kills it.
    package func end(within limit: Duration) async -> LimitedEnd {
        await withTaskGroup(of: Ended?.self) { group in
            group.addTask { await self.ended() }
            group.addTask {
                try? await waitUntil("the process has ended", within: limit) { false }
                if !Task.isCancelled { self.send(SIGKILL) }
                return nil
            }
            var wasKilled = false
            while let ended = await group.next() {
                guard let ended else {
                    wasKilled = true
                    continue
                }
                group.cancelAll()
                return LimitedEnd(ended: ended, wasKilled: wasKilled)
            }
            return LimitedEnd(ended: nil, wasKilled: wasKilled)
        }
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
