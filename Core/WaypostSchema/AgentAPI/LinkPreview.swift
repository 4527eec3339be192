/// The rich preview that an app supplies for the content of a highlight.
public struct LinkPreview: Codable, Sendable, Equatable {
    /// The URL of the highlight.
    public var url: String

    /// The title of the content.
    public var title: String

    /// The subtitle, or `nil` if there is none.
    public var subtitle: String?

    /// The picture, as a `data:` URL of PNG, JPEG, GIF or WebP; a placeholder is shown if absent.
    public var thumbnail: String?

    /// Creates the value from its parts.
    public init(url: String, title: String, subtitle: String? = nil, thumbnail: String? = nil) {
        self.url = url
        self.title = title
        self.subtitle = subtitle
        self.thumbnail = thumbnail
    }
}
