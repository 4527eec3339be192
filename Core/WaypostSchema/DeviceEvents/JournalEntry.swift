/// One line of a device's journal: an event and its time.
public struct JournalEntry: Sendable, Equatable {
    /// The time of the event.
    public var at: Timestamp

    /// The event.
    public var event: DeviceEvent

    /// Creates the value from its parts.
    public init(at: Timestamp, event: DeviceEvent) {
        self.at = at
        self.event = event
    }
}

extension JournalEntry: Codable {
    private enum CodingKeys: String, CodingKey {
        case at
    }

    /// Parses an entry: an event with its time in the same object.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(at: try container.decode(Timestamp.self, forKey: .at), event: try DeviceEvent(from: decoder))
    }

    /// Writes the event with its time in the same object.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(at, forKey: .at)
        try event.encode(to: encoder)
    }
}
