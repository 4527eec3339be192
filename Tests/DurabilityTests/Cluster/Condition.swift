import Foundation

/// Waiting for conditions, with a limit that only a failure reaches.
enum Condition {
    /// The limit of a wait.
    ///
    /// It is much longer than any healthy wait, because the machine may be busy.
    static let limit = Duration.seconds(90)

    /// Waits until a condition is true.
    ///
    /// - Parameters:
    ///   - name: the condition, for the error.
    ///   - limit: the longest wait.
    ///   - isTrue: checks the condition; called again until it returns `true`.
    /// - Throws: `NotReached` after the limit, or an error of `isTrue`.
    static func wait(
        for name: String,
        within limit: Duration = limit,
        _ isTrue: () async throws -> Bool
    ) async throws {
        let end = ContinuousClock.now + limit
        while try await !isTrue() {
            guard ContinuousClock.now < end else { throw NotReached(condition: name, limit: limit) }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// The error of a condition that was not reached.
    struct NotReached: Error, CustomStringConvertible {
        let condition: String
        let limit: Duration

        var description: String {
            "not reached within \(limit): \(condition)"
        }
    }
}
