/// The picture of a shelf's card.
public enum Thumbnail: Sendable, Hashable {
    /// A picture, as a `data:` URL.
    case picture(String)

    /// A letter on a colour.
    case placeholder(letter: String, color: AvatarColor)

    /// The picture of a card: the app's where it has a usable one, or else a placeholder that is always the same for a URL.
    ///
    /// A usable one is a `data:` URL of PNG, JPEG, GIF or WebP in base64 as RFC 4648, section 4 has it. Anything else could
    /// name a place outside, which would learn who looks at it, or hold a script.
    ///
    /// - Parameters:
    ///   - picture: what the app gave.
    ///   - url: the URL of the content.
    init(_ picture: String?, for url: ShownURL) {
        if let picture, Self.isUsable(picture) {
            self = .picture(picture)
        } else {
            let number = url.text.utf8.reduce(0) { ($0 * 31 + Int($1)) % AvatarColor.count }
            self = .placeholder(letter: url.letter, color: AvatarColor(index: number))
        }
    }

    static func isUsable(_ picture: String) -> Bool {
        let starts = ["png", "jpeg", "gif", "webp"].map { "data:image/\($0);base64," }
        guard let start = starts.first(where: picture.hasPrefix) else { return false }
        let digits = picture.utf8.dropFirst(start.utf8.count)
        let padding = digits.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
        return !digits.isEmpty && digits.count.isMultiple(of: 4) && digits.dropLast(padding).allSatisfy(isDigit)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"): true
        default: false
        }
    }
}
