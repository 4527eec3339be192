public import WaypostSchema

/// The number and the times of the writes of a notification to an event stream.
public struct DeliveryAttempts: Sendable, Hashable {
    /// The time of the first attempt.
    public var first: Timestamp

    /// The time of the last attempt.
    public var last: Timestamp

    /// The number of attempts.
    public var count: Int

    /// Creates the value from its parts.
    public init(first: Timestamp, last: Timestamp, count: Int = 1) {
        self.first = first
        self.last = last
        self.count = count
    }

    /// Creates the value for a first attempt at `time`.
    public init(at time: Timestamp) {
        self.init(first: time, last: time)
    }

    /// Adds other attempts, whether they were earlier or later.
    public mutating func merge(_ other: Self) {
        first = min(first, other.first)
        last = max(last, other.last)
        count += other.count
    }
}
