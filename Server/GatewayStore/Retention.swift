package import WaypostSchema

/// How long every engine keeps old data, and how much of it one transaction of a sweep deletes.
package enum Retention {
    /// The maximum number of each kind that one transaction of a sweep handles, so that other changes get their turn.
    package static let sweepLimit = 1_000

    /// The seconds after which a settled batch is deleted: 7 days.
    package static let settledBatch = 7 * 24 * 60 * 60

    /// The seconds for which the log keeps notifications that have ended, unless the operator chooses: 24 hours.
    package static let log = 24 * 60 * 60
}

/// The result of one transaction of a sweep, or of several.
package struct Sweep: Sendable {
    /// The changes.
    package var changes = StoreChanges()

    /// Whether there may be more to delete.
    package var isPartial = false

    /// Creates the value from its parts.
    package init(changes: StoreChanges = StoreChanges(), isPartial: Bool = false) {
        self.changes = changes
        self.isPartial = isPartial
    }

    /// Sweeps part by part, so that other changes get their turn between them, and returns the changes.
    ///
    /// If a part fails, the finished parts are reported, and the next sweep does the rest.
    ///
    /// - Parameter part: sweeps a bounded part.
    /// - Returns: the changes of all parts.
    /// - Throws: the error of `part`, if nothing was removed before.
    package static func all(_ part: () async throws(StoreError) -> Self) async throws(StoreError) -> StoreChanges {
        var changes = StoreChanges()
        while true {
            do {
                let next = try await part()
                changes.append(next.changes)
                guard next.isPartial else { return changes }
            } catch {
                guard changes.removals.isEmpty else { return changes }
                throw error
            }
        }
    }
}

extension Timestamp {
    /// Returns the milliseconds since 1970 of the time `seconds` ago; the minimum if that overflows.
    package func milliseconds(before seconds: Int) -> Int {
        let (span, isBeyondSpan) = seconds.multipliedReportingOverflow(by: 1_000)
        let (moment, isBeyondInt) = rawValue.subtractingReportingOverflow(span)
        return isBeyondSpan || isBeyondInt ? .min : moment
    }
}
