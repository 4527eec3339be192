/// The identifier of a reported run, which the gateway chooses.
public struct RunID: StringIdentifier {
    /// The identifier's text.
    public let rawValue: String

    /// Creates an identifier from its text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
