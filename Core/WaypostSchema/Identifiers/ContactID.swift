internal import TextBasics

/// The identifier of a card in Contacts.
public struct ContactID: StringIdentifier {
    /// The text.
    public var rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
