/// The text that the user enters for an action of a notification.
public struct ActionText: Codable, Sendable, Equatable {
    /// The text; absent for an action without text.
    public var text: String?

    /// Creates the value from its parts.
    public init(text: String? = nil) {
        self.text = text
    }
}
