import WaypostSchema
import WaypostTestSupport

/// Texts that somebody could put into a card to break its display.
enum HostileText {
    private static let pieces = [
        "<script>alert(1)</script>", "]]>", "&", "&amp;#0;", "\"", "'", "<!--", "-->", "<?xml", "</text>",
        "onload=\"x()\"",
        "\u{0}", "\u{7}", "\u{8}", "\u{1B}[31m", "\u{9B}2J", "\u{7F}", "\r\n", "\t", "\u{2028}", "\u{202E}gnp",
        "\u{202D}", "\u{2066}", "\u{2069}", "\u{2068}", "\u{200F}", "\u{301}", "\u{FFFE}", "\u{FFFF}",
        "\u{FEFF}", "\u{E0001}", "👩‍👩‍👧‍👦", "🇫🇷", "👍🏽", "سارة", "דנה", "田中", "김서연", "Ann", "de la Cruz",
        " ", "\u{3000}", "ﬁ", "ß", "javascript:alert(1)", "https://example.com/a.png", "url(#x)", "%@", "\\u0000",
    ]

    static func any(_ generator: inout SeededGenerator) -> String {
        switch Int.random(in: 0..<12, using: &generator) {
        case 0: ""
        case 1: String(repeating: pieces.randomElement(using: &generator) ?? "", count: 400)
        case 2: String(repeating: "a", count: 10_000)
        default:
            (0..<Int.random(in: 1...6, using: &generator))
                .map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
        }
    }

    /// Returns whether XML 1.0 can contain a scalar (production 2).
    static func isXML(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x1_0000...0x10_FFFF: true
        default: false
        }
    }

    static func link(_ generator: inout SeededGenerator) -> SharedLink {
        let people = (0..<Int.random(in: 1...6, using: &generator)).map { _ in person(&generator) }
        let group = Bool.random(using: &generator) ? any(&generator) : nil
        return .shared(by: people, isPinned: Bool.random(using: &generator), in: group)
    }

    private static func person(_ generator: inout SeededGenerator) -> Person {
        func part(_ generator: inout SeededGenerator) -> String? {
            Bool.random(using: &generator) ? any(&generator) : nil
        }
        let handle = Handle(rawValue: any(&generator))
        guard Bool.random(using: &generator) else { return Person(handle: handle) }
        let contact = Contact(
            id: ContactID(rawValue: any(&generator)),
            givenName: part(&generator),
            familyName: part(&generator),
            nickname: part(&generator),
            language: ["ja", "zh", "ko", nil].randomElement(using: &generator) ?? nil,
            handles: [handle]
        )
        return Person(handle: handle, contact: contact)
    }
}
