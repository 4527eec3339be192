/// Names, handles and identifiers meant to break the code that shows them.
package enum HostileName {
    /// The minimum number of Unicode scalars in a long name.
    package static let minimumLongLength = 10_000

    private static let fragments = [
        "Ann", "de la Cruz", "سارة", "דנה", "田中", "さくら", "김서연", "Жанна", "ß", "ﬁona", "e\u{301}", "\u{1100}",
        "\u{1161}", "👩‍👩‍👧‍👦", "👍🏽", "🇫🇷", "\u{1F1E6}", "❤\u{FE0F}", "🏴\u{E0067}\u{E0062}\u{E007F}",
        "\u{0}", "\u{7}", "\u{8}", "\u{1B}[31m", "\u{7F}", "\u{85}", "\u{9B}2J", "\r\n", "\t", "\u{2028}", " ",
        "\u{3000}", "\u{200D}", "\u{200F}", "\u{202E}", "\u{2066}", "\u{2068}", "\u{2069}", "\u{301}", "\u{FEFF}",
        "\u{FFFC}", "\u{FFFE}", "\u{FFFF}", "\u{E000}", "\u{10FFFF}",
        "<script>alert(1)</script>", "</title>", "]]>", "<!--", "<?xml?>", "&", "&amp;#0;", "\"", "'", "\\", "\\u0000",
        "%@", "+49 (170)", "@", "null", "}",
    ]

    /// Returns an empty name, a blank name, or a few unrelated fragments.
    package static func any(_ generator: inout some RandomNumberGenerator) -> String {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: ""
        case 1: "\u{200F}\t \u{0}"
        default: (0..<Int.random(in: 1...6, using: &generator)).map { _ in fragment(&generator) }.joined()
        }
    }

    /// Returns a long name: fragments repeated until there are at least `minimumLongLength` Unicode scalars.
    package static func long(_ generator: inout some RandomNumberGenerator) -> String {
        var name = String.UnicodeScalarView()
        while name.count < minimumLongLength {
            name += String(repeating: fragment(&generator), count: 100).unicodeScalars
        }
        return String(name)
    }

    private static func fragment(_ generator: inout some RandomNumberGenerator) -> String {
        fragments.randomElement(using: &generator) ?? ""
    }
}
