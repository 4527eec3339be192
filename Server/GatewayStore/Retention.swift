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

extension Timestamp {
    /// Returns the milliseconds since 1970 of the time `seconds` ago; the minimum if that overflows.
    package func milliseconds(before seconds: Int) -> Int {
        let (span, isBeyondSpan) = seconds.multipliedReportingOverflow(by: 1_000)
        let (moment, isBeyondInt) = rawValue.subtractingReportingOverflow(span)
        return isBeyondSpan || isBeyondInt ? .min : moment
    }
}
