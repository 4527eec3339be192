/// The times that a clock has shown, as far as an observer can tell.
///
/// A reading is a range of milliseconds, because time passes while the observer reads the clock. Between two readings
/// the clock only goes forward.
package struct ClockReadings: Sendable {
    private var earliest: [Int]

    /// The latest time that the clock may have shown.
    package private(set) var latest: Int

    /// Creates the readings with the first one.
    package init(_ reading: ClosedRange<Int>) {
        (earliest, latest) = ([reading.lowerBound], reading.upperBound)
    }

    /// The earliest time that the clock may show now.
    package var now: Int {
        earliest[earliest.count - 1]
    }

    /// The number of the last reading.
    package var last: Int {
        earliest.count - 1
    }

    /// Adds a reading.
    ///
    /// If the clock goes back, add it before the change, otherwise after it.
    package mutating func add(_ reading: ClosedRange<Int>) {
        earliest.append(reading.lowerBound)
        latest = max(latest, reading.upperBound)
    }

    /// Returns the earliest time that the clock may have shown since the reading with a number.
    package func earliest(since number: Int) -> Int {
        earliest[number...].min() ?? now
    }
}
