/// The reaction of a device to a journal entry.
public struct DeviceReaction: Codable, Sendable, Equatable {
    /// The effects, in order.
    public var effects: [DeviceEffect]

    /// The next time at which something changes without an event, so that a `timePassed` is due; absent if there is
    /// none.
    public var nextDeadline: Timestamp?

    /// Creates the value from its parts.
    public init(effects: [DeviceEffect], nextDeadline: Timestamp? = nil) {
        self.effects = effects
        self.nextDeadline = nextDeadline
    }
}
