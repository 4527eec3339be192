internal import TextBasics

/// The identifier of a conversation in Messages.
public struct ConversationID: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
