/// A link that was shared in Messages, as the app that handles it sees it (`SWHighlight`).
///
/// It never contains the sender, the conversation or the text of the message.
public struct Highlight: Codable, Sendable, Hashable {
    /// The identifier for the app; stable as long as the device has the link.
    public var id: HighlightID

    /// The URL, as sent.
    public var url: String

    /// Creates the value from its parts.
    public init(id: HighlightID, url: String) {
        self.id = id
        self.url = url
    }
}
