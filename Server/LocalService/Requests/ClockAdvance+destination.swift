package import WaypostSchema

/// The reason why a clock cannot be moved.
package enum ClockAdvanceError: Error, Equatable {
    /// Neither or both of `by` and `to` are given.
    case needsOneOfTwo

    /// The clock would go back; `field` is the member that requires it.
    case goesBack(field: String)

    /// The clock would go past the latest time that it can show.
    case pastTheEnd
}

extension ClockAdvance {
    /// Returns the time of a clock after the advance, given that it shows `now`.
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
            guard !overflows else { throw .pastTheEnd }
            destination = Timestamp(milliseconds: sum)
        case (nil, let moment?):
            guard moment >= now else { throw .goesBack(field: "to") }
            destination = moment
        default: throw .needsOneOfTwo
        }
        guard destination <= latest else { throw .pastTheEnd }
        return destination
    }
}
