/// The picture of a shelf's card.
public enum Thumbnail: Sendable, Hashable {
    /// A picture, as a `data:` URL.
    case picture(String)

    /// A letter on a colour.
    case placeholder(letter: String, color: AvatarColor)

    /// The picture of a card: the app's where it has a usable one, or else a placeholder that is always the same for a URL.
    ///
    /// A usable one is a `data:` URL of a `PictureFormat`. Anything else could name a place outside, which would learn who
    /// looks at it, or hold a script.
    ///
    /// - Parameters:
    ///   - picture: what the app gave.
    ///   - title: the title that the app gave, plain; its initial is on a placeholder, or else that of the host.
    ///   - url: the URL of the content; the colour of a placeholder comes of it.
    init(_ picture: String?, title: String, for url: ShownURL) {
        if let picture, Self.isUsable(picture) {
            self = .picture(picture)
        } else {
            let number = url.text.utf8.reduce(0) { ($0 * 31 + Int($1)) % AvatarColor.count }
            let initial = Initial(of: title).map { PlainText.plain($0.text) }
            self = .placeholder(letter: initial ?? url.letter, color: AvatarColor(index: number))
        }
    }

    private static func isUsable(_ picture: String) -> Bool {
        PictureFormat.allCases.contains { $0.isFormat(ofDataURL: picture) }
    }
}
