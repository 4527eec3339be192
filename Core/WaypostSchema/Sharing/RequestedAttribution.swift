/// An attribution view that an app requested, with the URL of its link.
public struct RequestedAttribution: Codable, Sendable, Equatable {
    /// The URL of the link, as the app gave it.
    public var url: String

    /// The view, as the app has it.
    public var attribution: AttributionView

    /// Creates the value from its parts.
    public init(url: String, attribution: AttributionView) {
        self.url = url
        self.attribution = attribution
    }
}
