public import WaypostSchema

/// The time of a choice, and its number, which orders choices.
///
/// Times alone cannot order choices: two choices may have the same millisecond, and clocks can be set back.
public struct ChoiceMoment: Sendable, Hashable, Comparable, Codable {
    /// The time, for display.
    public var at: Timestamp

    /// The number of the choice in the device's journal.
    public var number: Int

    /// Creates the moment of a choice.
    ///
    /// - Parameters:
    ///   - at: the time.
    ///   - number: the number of the choice in the device's journal; it must be unique.
    public init(at: Timestamp, number: Int) {
        self.at = at
        self.number = number
    }

    /// Returns whether `left` is the earlier choice.
    public static func < (left: Self, right: Self) -> Bool {
        // The time keeps the order total if, against the rule, two numbers are equal.
        (left.number, left.at) < (right.number, right.at)
    }
}
