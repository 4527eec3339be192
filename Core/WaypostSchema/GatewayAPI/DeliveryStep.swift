/// A state of a notification, and the time at which it was reached.
public struct DeliveryStep: Codable, Sendable, Equatable {
    /// The state.
    public var state: DeliveryState

    /// The time at which the state was first reached, on the clock of the namespace.
    public var at: Timestamp

    /// Creates the value from its parts.
    public init(_ state: DeliveryState, at time: Timestamp) {
        self.state = state
        at = time
    }
}
