/// The identifier of a broadcast channel, which APNs creates: bytes in base64.
public struct ChannelID: StringIdentifier {
    /// The identifier, in base64.
    public var rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
