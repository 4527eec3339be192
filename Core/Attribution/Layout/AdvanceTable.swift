/// The widths of letters in hundredths of the font size, the same on every machine, so that a layout needs no font.
///
/// The values are the advances that Adobe published for Helvetica; Arial has the same. A Latin letter with marks is as
/// wide as the letter without them. The width of any other character depends on its kind; those values are Waypost's
/// own, and are too wide rather than too narrow.
enum AdvanceTable {
    /// Returns the advance of a single scalar.
    static func advance(of scalar: Unicode.Scalar) -> Int {
        advances[scalar] ?? ScalarKind(scalar).advance
    }

    private static let advances: [Unicode.Scalar: Int] = {
        var advances: [Unicode.Scalar: Int] = [:]
        for (advance, characters) in publishedAdvances {
            for scalar in characters.unicodeScalars { advances[scalar] = advance }
        }
        for scalar in latinBlocks.joined().compactMap(Unicode.Scalar.init) where advances[scalar] == nil {
            advances[scalar] = baseLetter(of: scalar).flatMap { advances[$0] }
        }
        return advances
    }()

    /// The published advances, each with the characters that have it.
    static let publishedAdvances: KeyValuePairs<Int, String> = [
        19: "'",
        22: "ijl‘’‚",
        26: "|¦",
        28: " \u{A0}!,./:;I[\\]ftı·",
        33: "()-`{}r¡¨¯´¸¹²³“”„‹›",
        35: "•",
        36: "\"",
        37: "ªº",
        39: "*",
        40: "°",
        47: "^",
        50: "Jcksvxyz",
        54: "¶",
        56: "#$0123456789?L_abdeghnopqu–¢£¤¥§«µ»þ†‡€",
        58: "+<=>~¬±×÷",
        61: "FTZ¿ßø",
        67: "&ABEKPSVXYÞ",
        72: "CDHNRUwÐ",
        74: "©®",
        78: "GOQØ",
        83: "Mm¼½¾",
        89: "%æ",
        94: "Wœ",
        100: "—…‰ÆŒ™",
        102: "@",
    ]

    /// The blocks of Latin letters with marks: Latin-1 to Latin Extended-B, and Latin Extended Additional.
    private static let latinBlocks: [ClosedRange<UInt32>] = [0xC0...0x24F, 0x1E00...0x1EFF]

    /// Returns the base letter of a Latin letter with marks, according to its Unicode name: `e` for `ễ`.
    private static func baseLetter(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
        let words = (scalar.properties.name ?? "").split(separator: " ", maxSplits: 5)
        guard words.count > 5, words[0] == "LATIN", words[2] == "LETTER", words[4] == "WITH" else { return nil }
        guard let letter = words[3].unicodeScalars.first, words[3].unicodeScalars.count == 1 else { return nil }
        return words[1] == "SMALL" ? letter.properties.lowercaseMapping.unicodeScalars.first : letter
    }
}
