/// The verdict of one gate on a notification.
public struct NotificationVerdict: Codable, Sendable, Equatable {
    /// The gate.
    public var gate: NotificationGate

    /// The status.
    public var status: GateVerdict.Status

    /// A human-readable reason.
    public var explanation: String

    /// Creates the value from its parts.
    public init(gate: NotificationGate, status: GateVerdict.Status, explanation: String) {
        self.gate = gate
        self.status = status
        self.explanation = explanation
    }
}
