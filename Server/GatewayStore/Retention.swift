package import WaypostSchema

/// The lifetimes of old data, and the limit of one sweep transaction; they are the same in every engine.
package enum Retention {
    /// The maximum number of rows of each kind that one transaction deletes, so that other changes get their turn.
    package static let sweepLimit = 1_000

    /// The lifetime of a settled batch in seconds: 7 days.
    package static let settledBatchLifetime = 7 * 24 * 60 * 60

    /// The default lifetime in seconds of a log entry whose notification has ended: 24 hours.
    package static let logLifetime = 24 * 60 * 60
}

/// The result of one transaction of a sweep, or of several.
package struct SweepResult: Sendable {
    /// The changes.
    package var changes = StoreChanges()

    /// Whether there may be more to delete.
    package var mayHaveMore = false

    /// Creates the value from its parts.
    package init(changes: StoreChanges = StoreChanges(), mayHaveMore: Bool = false) {
        self.changes = changes
        self.mayHaveMore = mayHaveMore
    }

    /// Sweeps part by part, so that other changes get their turn between them, and returns the changes.
    ///
    /// If a part fails, the finished parts are reported, and the next sweep does the rest.
    ///
    /// - Parameter part: sweeps a bounded part.
    /// - Returns: the changes of all parts.
    /// - Throws: the error of `part`, if nothing was removed before.
    package static func runToCompletion(
        _ part: () async throws(StoreError) -> Self
    ) async throws(StoreError) -> StoreChanges {
        var changes = StoreChanges()
        while true {
            do {
                let next = try await part()
                changes.append(next.changes)
                guard next.mayHaveMore else { return changes }
            } catch {
                guard changes.removals.isEmpty else { return changes }
                throw error
            }
        }
    }
}

extension Timestamp {
    /// Returns the time `seconds` before this one, in milliseconds since 1970; `Int.min` if that overflows.
    package func milliseconds(secondsAgo seconds: Int) -> Int {
        let (span, isBeyondSpan) = seconds.multipliedReportingOverflow(by: 1_000)
        let (milliseconds, isBeyondInt) = rawValue.subtractingReportingOverflow(span)
        return isBeyondSpan || isBeyondInt ? .min : milliseconds
    }
}
