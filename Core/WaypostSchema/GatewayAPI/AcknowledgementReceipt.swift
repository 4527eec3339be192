/// The response to an acknowledgement.
public struct AcknowledgementReceipt: Codable, Sendable, Equatable {
    /// The number of notifications that were removed from an inbox; 0 if the acknowledgement is a repetition.
    public var acknowledged: Int

    /// Creates the value from its parts.
    public init(acknowledged: Int) {
        self.acknowledged = acknowledged
    }
}
