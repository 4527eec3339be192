/// An app's request for an attribution view.
public struct AttributionRequest: Codable, Sendable, Equatable {
    /// The URL of the highlight.
    public var url: String

    /// The preferences for the view; the defaults if absent.
    public var preferences: AttributionPreferences?

    /// Creates the value from its parts.
    public init(url: String, preferences: AttributionPreferences? = nil) {
        self.url = url
        self.preferences = preferences
    }
}
