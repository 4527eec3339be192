import Foundation
import ProcessTestSupport
import WaypostTestSupport

/// The end of a process that was awaited for a limited time.
struct LimitedEnd: Sendable {
    /// How it ended; `nil` if that was not awaited.
    let ended: ChildProcess.Ended?

    /// Whether it was killed because it did not end in time.
    let wasKilled: Bool
}

extension ChildProcess {
    /// Waits until the process has ended; if it does not end in time, kills it.
    func end(within limit: Duration) async -> LimitedEnd {
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
func withLimit<Value: Sendable>(
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
