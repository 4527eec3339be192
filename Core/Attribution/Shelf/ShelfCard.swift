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

/// A URL as a person reads it where there is no title: its host and its path.
struct ShownURL: Sendable, Hashable {
    /// The host and the path: no scheme, no user, no query, no fragment, no slash at the end.
    let text: String

    /// Creates the value from a URL as it was sent.
    init(_ url: String) {
        var rest = Substring(PlainText.plain(url))
        if let scheme = rest.firstIndex(of: ":"), rest[scheme...].hasPrefix("://") {
            rest = rest[scheme...].dropFirst(3)
        }
        rest = rest.prefix { $0 != "?" && $0 != "#" }
        let host = rest.prefix { $0 != "/" }
        if let user = host.lastIndex(of: "@") { rest = rest[user...].dropFirst() }
        while rest.last == "/" { rest = rest.dropLast() }
        text = String(rest)
    }

    /// The first letter or digit of the host, upcased and without a leading `www.`; a point where there is none.
    var letter: String {
        let host = text.hasPrefix("www.") ? text.dropFirst(4) : text[...]
        guard let first = host.first(where: { $0.isLetter || $0.isNumber }) else { return "·" }
        return String(first.uppercased().prefix(1))
    }
}
