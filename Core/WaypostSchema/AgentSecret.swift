/// The secret of an agent: who shows it receives the notifications of the agent's devices.
public struct AgentSecret: StringIdentifier {
    /// The secret itself.
    public var rawValue: String

    /// Creates the secret that `rawValue` spells.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A stand-in, so that no log shows the secret.
    public var description: String {
        "<secret>"
    }
}
