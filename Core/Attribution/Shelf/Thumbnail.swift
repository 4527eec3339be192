/// The picture of a shelf's card.
public enum Thumbnail: Sendable, Hashable {
    /// A picture, as a `data:` URL.
    case picture(String)

    /// A letter on a color.
    case placeholder(letter: String, color: AvatarColor)

    /// Creates the picture of a card: the app's picture if it is usable, otherwise a placeholder.
    ///
    /// A usable picture is a `data:` URL of a `PictureFormat`. Any other reference could be to a server, which would
    /// learn who views it, or contain a script. The placeholder's color is always the same for a URL.
    ///
    /// - Parameters:
    ///   - picture: the app's picture.
    ///   - title: the app's title, as plain text; the placeholder shows its initial, or else that of the host.
    ///   - url: the URL of the content, which decides the placeholder's color.
    init(_ picture: String?, title: String, for url: URLTitle) {
        if let picture, Self.isUsable(picture) {
            self = .picture(picture)
        } else {
            let hash = url.text.utf8.reduce(0) { ($0 * 31 + Int($1)) % AvatarColor.count }
            let initial = Initial(of: title).map { PlainText.plain($0.text) }
            self = .placeholder(letter: initial ?? url.letter, color: AvatarColor(index: hash))
        }
    }

    private static func isUsable(_ picture: String) -> Bool {
        PictureFormat.allCases.contains { $0.matches(dataURL: picture) }
    }
}
