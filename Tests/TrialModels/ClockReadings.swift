/// The times that a clock has shown, as far as an observer can tell.
///
/// A reading is a range of milliseconds, because time passes while the observer reads the clock. Between two readings
/// the clock only goes forward.
package struct ClockReadings: Sendable {
    private var readings: [ClosedRange<Int>]

    /// Creates the readings with the first one.
    package init(_ reading: ClosedRange<Int>) {
        readings = [reading]
    }

    /// The earliest time that the clock may show now.
    package var now: Int {
        readings[last].lowerBound
    }

    /// The latest time that the clock may have shown.
    package var latest: Int {
        latest(since: 0)
    }

    /// The number of the last reading.
    package var last: Int {
        readings.count - 1
    }

    /// Adds a reading.
    ///
    /// If the clock goes back, add it before the change, otherwise after it.
    package mutating func add(_ reading: ClosedRange<Int>) {
        readings.append(reading)
    }

    /// Returns the earliest time that the clock may have shown since the reading with a number.
    package func earliest(since number: Int) -> Int {
        readings[number...].map(\.lowerBound).min() ?? now
    }

    /// Returns the latest time that the clock may have shown in the readings from a number on.
    package func latest(since number: Int) -> Int {
        readings[number...].map(\.upperBound).max() ?? now
    }
}
