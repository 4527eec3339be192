/// The rich preview that an app supplies for the content of a highlight.
public struct LinkPreview: Codable, Sendable, Equatable {
    /// The URL of the highlight.
    public var url: String

    /// What the content is called.
    public var title: String

    /// A second line, where there is one.
    public var subtitle: String?

    /// The picture, as a `data:` URL of PNG, JPEG, GIF or WebP; absent for a placeholder.
    public var thumbnail: String?

    /// Creates the value from its parts.
    public init(url: String, title: String, subtitle: String? = nil, thumbnail: String? = nil) {
        self.url = url
        self.title = title
        self.subtitle = subtitle
        self.thumbnail = thumbnail
    }
}
