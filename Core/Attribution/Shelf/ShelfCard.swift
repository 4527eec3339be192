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
        let shownURL = URLTitle(url)
        let title = PlainText.plain(preview?.title ?? "")
        let subtitle = PlainText.plain(preview?.subtitle ?? "")
        self.title = title.isEmpty ? shownURL.text : title
        self.subtitle = subtitle.isEmpty ? nil : subtitle
        thumbnail = Thumbnail(preview?.thumbnail, title: title, for: shownURL)
        self.attribution = attribution
    }
}

/// A URL as it is shown if there is no title: its host and its path.
struct URLTitle: Sendable, Hashable {
    /// The host and the path, without scheme, user information, query, fragment and trailing slashes.
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

    /// The first letter or digit of the host in upper case, without a leading `www.`; a dot if there is none.
    var letter: String {
        let host = text.hasPrefix("www.") ? text.dropFirst(4) : text[...]
        guard let first = host.first(where: { $0.isLetter || $0.isNumber }) else { return "·" }
        return String(first.uppercased().prefix(1))
    }
}
