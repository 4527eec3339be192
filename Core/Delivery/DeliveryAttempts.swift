public import WaypostSchema

/// When and how often a notification was written to an event stream.
public struct DeliveryAttempts: Sendable, Hashable {
    /// When it was first.
    public var first: Timestamp

    /// When it was last.
    public var last: Timestamp

    /// How often.
    public var count: Int

    /// Creates the value from its parts.
    public init(first: Timestamp, last: Timestamp, count: Int = 1) {
        self.first = first
        self.last = last
        self.count = count
    }

    /// Creates the first attempt, at `moment`.
    public init(at moment: Timestamp) {
        self.init(first: moment, last: moment)
    }

    /// Adds other attempts, whether they were made before these or after.
    public mutating func append(_ other: Self) {
        first = min(first, other.first)
        last = max(last, other.last)
        count += other.count
    }
}
