/// The identifier of the link of an agent, which the gateway chooses.
public struct AgentLinkID: StringIdentifier {
    /// The identifier's text.
    public let rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
