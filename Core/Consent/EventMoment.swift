public import WaypostSchema

/// The time of an event on a device, and its number, which orders the events.
///
/// Times alone cannot order events: two may have the same millisecond, and clocks can be set back.
public struct EventMoment: Sendable, Hashable, Comparable, Codable {
    /// The time, for display.
    public var at: Timestamp

    /// The number of the event in the device's journal.
    public var eventNumber: Int

    private enum CodingKeys: String, CodingKey {
        case at
        case eventNumber = "number"
    }

    /// Creates the moment of an event.
    ///
    /// - Parameters:
    ///   - at: the time.
    ///   - eventNumber: the number of the event in the device's journal; it must be unique.
    public init(at: Timestamp, eventNumber: Int) {
        self.at = at
        self.eventNumber = eventNumber
    }

    /// Returns whether `left` is the earlier event.
    public static func < (left: Self, right: Self) -> Bool {
        // The time keeps the order total if, against the rule, two numbers are equal.
        (left.eventNumber, left.at) < (right.eventNumber, right.at)
    }
}
