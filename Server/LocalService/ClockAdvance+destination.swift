package import WaypostSchema

/// Why a clock is not moved.
package enum ClockAdvanceError: Error, Equatable {
    /// Neither or both of `by` and `to` are given.
    case needsOneOfTwo

    /// The clock would go back; `field` says so.
    case goesBack(field: String)

    /// The clock would go past the last moment that there is.
    case pastTheEnd
}

extension ClockAdvance {
    /// Returns where a clock that shows `now` is moved to.
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
