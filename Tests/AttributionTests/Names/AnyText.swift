/// Random text that no card should contain.
struct AnyText {
    private static let pieces = [
        "Anna", "Enrique", "van der", "Berg", "ß", "ﬁona", "é", "e\u{301}", "Ünal", "Жанна", "Άννα", "Նարե", "ნინო",
        "王", "小明", "田中", "さくら", "ヨシ", "남궁", "민수", "فاطمة", "שרה", "สมชาย", "क्षमा", "辻\u{E0100}",
        "👩‍👩‍👧‍👦", "👍🏽", "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}", "❤\u{FE0F}", "🇩🇪", "1\u{FE0F}\u{20E3}", "🏻",
        " ", "\n", "\r\n", "\t", "\u{2028}", "\u{3000}", "\u{A0}", "\u{2800}", "\u{85}",
        "\u{0}", "\u{7}", "\u{1B}[31m", "\u{9F}", "\u{202E}", "\u{2066}", "\u{2069}", "\u{61C}", "\u{200F}",
        "\u{FEFF}", "\u{FFFE}", "\u{1FFFF}", String(decoding: [0xEF, 0xB7, 0x90] as [UInt8], as: UTF8.self), "\u{AD}",
        "\u{3164}", "\u{E0041}", "\u{FFFC}", "\u{F8FF}",
        "\u{200D}", "\u{200C}", "\u{FE0E}", "\u{FE0F}", "\u{E0101}", "\u{180B}", "\u{301}", "\u{20E3}", "\u{489}",
        "\u{600}", "\u{1100}", "\u{1160}", "\u{94D}", "\u{93F}", "\u{1F1E6}",
        "-", "“", "'", "@", "+49 (170)", "0", "<b>", "&", "]]>", "%@", "$", ".", ",", "、",
    ]

    /// Returns a text of at most `length` pieces.
    static func text(upTo length: Int, _ generator: inout some RandomNumberGenerator) -> String {
        let count = Int.random(in: 0...length, using: &generator)
        return (0..<count).reduce(into: "") { text, _ in
            let piece = pieces.randomElement(using: &generator) ?? ""
            let isTower = Int.random(in: 0..<40, using: &generator) == 0
            text += isTower ? String(repeating: piece, count: 60) : piece
        }
    }
}
