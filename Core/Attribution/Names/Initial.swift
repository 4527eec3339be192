/// The first letter or emoji of a name, without the punctuation before it; a letter is in title case.
struct Initial {
    /// One grapheme cluster.
    let text: String

    /// Whether the text is an emoji.
    let isEmoji: Bool

    /// Creates the initial of a text; `nil` if the text starts with anything else, such as a digit.
    init?(of name: String) {
        guard let cluster = name.first(where: { !$0.mayPrecedeName }), let base = cluster.unicodeScalars.first else {
            return nil
        }
        isEmoji = cluster.isEmoji
        guard isEmoji || NameScript(base) != nil else { return nil }
        let titlecased = base.properties.titlecaseMapping + String(cluster.unicodeScalars.dropFirst())
        // One letter may become two, as with ß and ﬁ; ŉ becomes an apostrophe and a letter.
        guard let first = titlecased.first(where: { !$0.mayPrecedeName }) else { return nil }
        text = String(first)
    }
}

extension Character {
    /// Whether the character may precede the first letter of a name.
    fileprivate var mayPrecedeName: Bool {
        guard let base = unicodeScalars.first else { return true }
        return isPunctuation || isWhitespace || ("\u{02B0}"..."\u{02FF}").contains(base)
    }

    /// Whether the character is drawn as an emoji: by default, or because of a variation selector, a modifier or a
    /// joiner.
    ///
    /// Keycap digits do not count, as an avatar never shows a digit.
    fileprivate var isEmoji: Bool {
        guard let base = unicodeScalars.first, !base.isASCII, base.properties.isEmoji else { return false }
        let next = unicodeScalars.dropFirst().first
        return next != "\u{FE0E}"
            && (base.properties.isEmojiPresentation || next == "\u{FE0F}" || next == "\u{200D}"
                || next?.properties.isEmojiModifier == true)
    }
}
