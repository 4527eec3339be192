public import WaypostSchema

/// An item of a shelf: a rich preview of the content, and who shared it.
///
/// The preview is the app's, the attribution the device's: they come together only where the device draws.
public struct ShelfCard: Sendable, Equatable {
    /// What the content is called: plain text on one line; the host and the path of the URL where the app gave no title.
    public let title: String

    /// A second line, where there is one.
    public let subtitle: String?

    /// The picture.
    public let thumbnail: Thumbnail

    /// Who shared the content.
    public let attribution: AttributionContent

    /// Creates the card of an item.
    ///
    /// - Parameters:
    ///   - url: the URL of the content.
    ///   - preview: what the app says about it; `nil` where it says nothing.
    ///   - attribution: who shared it.
    public init(url: String, preview: LinkPreview?, attribution: AttributionContent) {
        let shownURL = ShownURL(url)
        let title = PlainText.plain(preview?.title ?? "")
        let subtitle = PlainText.plain(preview?.subtitle ?? "")
        self.title = title.isEmpty ? shownURL.text : title
        self.subtitle = subtitle.isEmpty ? nil : subtitle
        thumbnail = Thumbnail(preview?.thumbnail, title: title, for: shownURL)
        self.attribution = attribution
    }
}
