public import WaypostSchema

/// When a choice was made: its time, for people, and its number, which says which of two choices is the later one.
///
/// Times cannot say that: two choices may share a millisecond, and clocks are set back.
public struct ChoiceMoment: Sendable, Hashable, Comparable, Codable {
    /// The time.
    public var at: Timestamp

    /// The number of the choice in the device's journal.
    public var number: Int

    /// Creates the moment of a choice.
    ///
    /// - Parameters:
    ///   - at: the time.
    ///   - number: the number of the choice in the device's journal; no two choices have the same.
    public init(at: Timestamp, number: Int) {
        self.at = at
        self.number = number
    }

    /// Whether `left` is the earlier choice.
    public static func < (left: Self, right: Self) -> Bool {
        // The time only makes the order total where numbers are, against the rule, the same.
        (left.number, left.at) < (right.number, right.at)
    }
}
