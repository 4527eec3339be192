import Attribution
import Testing
import WaypostTestSupport

@Suite struct PlainTextTests {
    static let lines: [(text: String, line: String)] = [
        ("Enrique", "Enrique"), ("", ""), (" \n\t", ""), ("  Anna \r\n  Lee\u{2028}\u{2029} ", "Anna Lee"),
        ("田中\u{3000}さくら", "田中 さくら"), ("a\u{2800}b", "a b"), ("a\u{85}b", "a b"),
    ]

    @Test(arguments: lines) func whiteSpaceBecomesSingleSpaces(_ text: String, _ line: String) {
        #expect(PlainText.plain(text) == line)
    }

    static let unseen: [UInt32] = [
        0x00, 0x07, 0x1B, 0x7F, 0x9F, 0x61C, 0x200E, 0x200F, 0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2066, 0x2067,
        0x2068, 0x2069, 0xFEFF, 0xFFFE, 0xFFFF, 0xFDD0, 0xFDEF, 0x1FFFE, 0x10FFFF, 0xAD, 0x34F, 0x3164, 0x115F, 0x2060,
        0x20DD, 0x489, 0xE0001, 0xE0041, 0xFE0F, 0xE0100, 0xFFF9, 0xFFFC,
    ]

    @Test(arguments: unseen) func invisibleCharactersAreRemoved(_ value: UInt32) throws {
        let scalar = try #require(Unicode.Scalar(value))
        #expect(PlainText.plain("A\(scalar)B") == "AB")
        #expect(PlainText.plain(String(scalar)).isEmpty)
    }

    static let kept = [
        "👩‍👩‍👧‍👦", "👍🏽", "❤️", "☺\u{FE0E}", "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}", "🇩🇪", "1\u{FE0F}\u{20E3}",
        "辻\u{E0100}田", "می\u{200C}خواهم", "क्\u{200D}ष", "שָׁרָה", "e\u{301}", "e\u{323}\u{302}", "مُحَمَّد", "น้ำ", "ที่",
        "Zoë O’Brien-Smith", "\u{FFFD}",
    ]

    @Test(arguments: kept) func charactersOfANameAreKept(_ text: String) {
        #expect(Array(PlainText.plain(text).unicodeScalars) == Array(text.unicodeScalars))
    }

    static let alone: [(text: String, line: String)] = [
        ("\u{200D}", ""), ("\u{200D}a\u{200D}", "a"), ("a\u{200D}\u{200D}b", "a\u{200D}b"), ("a\u{200D} b", "a b"),
        ("a \u{200D}b", "a b"), ("\u{301}", ""), ("a \u{301}b", "a b"), ("\u{301}a", "a"),
    ]

    @Test(arguments: alone) func joinersAndMarksWithoutABaseAreRemoved(_ text: String, _ line: String) {
        #expect(Array(PlainText.plain(text).unicodeScalars) == Array(line.unicodeScalars))
    }

    @Test func atMostTwoMarksStayOnABase() {
        let tower = "Z" + String(repeating: "\u{301}", count: 50) + "algo"
        #expect(PlainText.plain(tower) == "Z\u{301}\u{301}algo")
    }

    @Test func hugeClusterIsReplaced() {
        let family = String(repeating: "👩\u{200D}", count: 30) + "👩"
        #expect(PlainText.plain("a\(family)b") == "a\u{FFFD}b")
        let largest = Array(repeating: "👩", count: 12).joined(separator: "\u{200D}")
        #expect(PlainText.plain(largest) == largest)
    }

    @Test func longTextIsNotTruncated() {
        let text = String(repeating: "Wolfeschlegelsteinhausen", count: 10_000)
        #expect(PlainText.plain(text) == text)
    }

    @Test(arguments: Trials.seeds(8, from: 1)) func plainTextIsUnchanged(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let text = AnyText.text(upTo: 12, &generator)
            let line = PlainText.plain(text)
            #expect(
                Array(PlainText.plain(line).unicodeScalars) == Array(line.unicodeScalars),
                "\(text.debugDescription)"
            )
            #expect(line.isPlain, "\(text.debugDescription)")
        }
    }

    @Test func isolatedTextIsEnclosedInIsolates() {
        #expect("שרה".isolated == "\u{2068}שרה\u{2069}")
    }
}

extension String {
    /// Whether the text fits on one line and has no invisible characters, checked independently of the rules of
    /// `PlainText`.
    var isPlain: Bool {
        let isSeen = unicodeScalars.allSatisfy { scalar in
            let properties = scalar.properties
            let isPart = properties.isVariationSelector || ("\u{E0020}"..."\u{E007F}").contains(scalar)
            return ![.control, .lineSeparator, .paragraphSeparator].contains(properties.generalCategory)
                && !properties.isNoncharacterCodePoint && (!properties.isWhitespace || scalar == " ")
                && (!properties.isDefaultIgnorableCodePoint || isPart || properties.isJoinControl)
        }
        return isSeen && !contains("  ") && first != " " && last != " "
            && allSatisfy { $0.unicodeScalars.count <= PlainText.maximumScalars }
    }
}
