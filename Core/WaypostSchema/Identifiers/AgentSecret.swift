internal import TextBasics

/// The secret of an agent, which gives access to the notifications of the agent's devices.
public struct AgentSecret: StringIdentifier {
    /// The secret.
    public var rawValue: String

    /// Creates a secret from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A placeholder, so that logs do not contain the secret.
    public var description: String {
        "<secret>"
    }
}
