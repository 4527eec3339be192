package import WaypostSchema

/// The reason why a clock cannot be moved.
package enum ClockAdvanceError: Error, Equatable {
    /// The advance has neither or both of `by` and `to`.
    case needsByOrTo

    /// The clock would go back; `field` is the member that requires it.
    case goesBack(field: String)

    /// The clock would go past the latest time that it can show.
    case exceedsMaximum
}

extension ClockAdvance {
    /// Returns the time of a clock after the advance, if it shows `now`.
    ///
    /// - Throws: `ClockAdvanceError` if the clock cannot be moved.
    package func destination(
        from now: Timestamp,
        latest: Timestamp = Timestamp(milliseconds: .max)
    ) throws(ClockAdvanceError) -> Timestamp {
        let destination: Timestamp
        switch (by, to) {
        case (let milliseconds?, nil):
            guard milliseconds >= 0 else { throw .goesBack(field: "by") }
            let (sum, overflows) = now.rawValue.addingReportingOverflow(milliseconds)
            guard !overflows else { throw .exceedsMaximum }
            destination = Timestamp(milliseconds: sum)
        case (nil, let time?):
            guard time >= now else { throw .goesBack(field: "to") }
            destination = time
        default: throw .needsByOrTo
        }
        guard destination <= latest else { throw .exceedsMaximum }
        return destination
    }
}
