/// What a text begins with, past quotation marks and other punctuation: a letter as at the beginning of a name, or an emoji.
struct Initial {
    /// One grapheme cluster.
    let text: String

    /// Whether it is an emoji.
    let isEmoji: Bool

    /// Creates the initial of a text; `nil` where it begins with anything else, such as a digit.
    init?(of name: String) {
        guard let cluster = name.first(where: { !$0.isSkipped }), let base = cluster.unicodeScalars.first else {
            return nil
        }
        isEmoji = cluster.isEmoji
        guard isEmoji || NameScript(base) != nil else { return nil }
        let upcased = base.properties.titlecaseMapping + String(cluster.unicodeScalars.dropFirst())
        // One letter may become two, as ß and ﬁ do; ŉ becomes an apostrophe and a letter.
        guard let first = upcased.first(where: { !$0.isSkipped }) else { return nil }
        text = String(first)
    }
}

extension Character {
    /// Whether it may stand before the first letter of a name without being one.
    fileprivate var isSkipped: Bool {
        guard let base = unicodeScalars.first else { return true }
        return isPunctuation || isWhitespace || ("\u{02B0}"..."\u{02FF}").contains(base)
    }

    /// Whether it is drawn as an emoji: in colour by itself, or with a variation selector, a modifier or a joiner.
    ///
    /// Digits with a keycap are none here, as an avatar never shows a digit.
    fileprivate var isEmoji: Bool {
        guard let base = unicodeScalars.first, !base.isASCII, base.properties.isEmoji else { return false }
        let next = unicodeScalars.dropFirst().first
        return next != "\u{FE0E}"
            && (base.properties.isEmojiPresentation || next == "\u{FE0F}" || next == "\u{200D}"
                || next?.properties.isEmojiModifier == true)
    }
}
