public import WaypostSchema

/// An item of a shelf: a rich preview of the content, and the people who shared it.
///
/// The preview comes from the app, the attribution from the device. Only the device combines them, when it draws.
public struct ShelfCard: Sendable, Equatable {
    /// The title of the content: plain text on one line; the host and path of the URL if the app gives no title.
    public let title: String

    /// The second line; `nil` if there is none.
    public let subtitle: String?

    /// The picture.
    public let thumbnail: Thumbnail

    /// The people who shared the content.
    public let attribution: AttributionContent

    /// Creates the card of an item.
    ///
    /// - Parameters:
    ///   - url: the URL of the content.
    ///   - preview: the app's preview; `nil` if there is none.
    ///   - attribution: the people who shared the content.
    public init(url: String, preview: LinkPreview?, attribution: AttributionContent) {
        let urlTitle = URLTitle(url)
        let title = PlainText.plain(preview?.title ?? "")
        let subtitle = PlainText.plain(preview?.subtitle ?? "")
        self.title = title.isEmpty ? urlTitle.text : title
        self.subtitle = subtitle.isEmpty ? nil : subtitle
        thumbnail = Thumbnail(preview?.thumbnail, title: title, for: urlTitle)
        self.attribution = attribution
    }
}
