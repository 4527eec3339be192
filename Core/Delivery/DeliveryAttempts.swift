public import WaypostSchema

/// When and how often a notification was written to an event stream.
public struct DeliveryAttempts: Sendable, Equatable {
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

    /// Adds attempts that were made after these.
    public mutating func append(_ later: Self) {
        last = later.last
        count += later.count
    }
}
