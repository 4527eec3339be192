import Testing
import WaypostSchema
import WaypostTestSupport

@testable import Attribution

@Suite struct LineStyleTests {
    private static let styles = [
        LineStyle(TextScale(.large)), LineStyle(TextScale(.large), weight: .bold),
        LineStyle(TextScale(.accessibilityLarge), percent: 90),
    ]

    @Test func boldIsWiderAsInThePublishedWidths() {
        let style = LineStyle(TextScale(.large), weight: .bold)
        let regular = LineStyle(TextScale(.large))
        for text in ["E", "7", " ", "田", "한"] { #expect(style.width(of: text) == regular.width(of: text)) }
        for text in ["i", "m", "A", "?"] {
            #expect(style.width(of: text) - regular.width(of: text) == Points(rawValue: 6 * 15))
        }
    }

    @Test(arguments: Trials.seeds(40)) func lineIsNeverWiderThanItsBound(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let text = PlainText.plain(HostileText.any(&generator))
        for style in Self.styles {
            let room = Points(Int.random(in: 0...300, using: &generator))
            if let placed = style.placed(text, x: .zero, y: .zero, maximumWidth: room) {
                #expect(placed.frame.width <= room)
            }
            let lines = style.lines(of: text, within: room, atMost: 3)
            #expect(lines.count <= 3)
            #expect(lines.allSatisfy { style.width(of: $0) <= room })
        }
    }

    @Test(arguments: Trials.seeds(40)) func nothingIsLostWithoutALineLimit(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let text = PlainText.plain(HostileText.any(&generator))
        for style in Self.styles {
            let widest = text.map { style.width(of: String($0)) }.max() ?? .zero
            let lines = style.lines(of: text, within: widest + Points(Int.random(in: 0...300, using: &generator)))
            #expect(lines.joined().filter { !$0.isWhitespace } == text.filter { !$0.isWhitespace })
        }
    }

    @Test func textThatFitsIsUnchanged() {
        let style = LineStyle(TextScale(.large), weight: .bold)
        for text in ["Show More", "어느 대화에 답장하시겠습니까?", "iiiiii"] {
            let width = style.width(of: text)
            #expect(style.fitted(text, within: width) == text)
            let shorter = style.fitted(text, within: width - Points(rawValue: 1))
            #expect(shorter?.hasSuffix("…") == true)
        }
    }

    @Test(arguments: [
        ("one two three four", 60, ["one two", "three", "four"]),
        ("one two three fourteen five", 60, ["one two", "three", "fourte…"]),
        ("どの会話に返信しますか？", 100, ["どの会話に返", "信しますか？"]),
        ("「あい」うえおか、き", 62, ["「あい」", "うえお", "か、き"]),
        ("어느 대화에 답장하시겠습니까?", 90, ["어느 대화에", "답장하시겠습", "니까?"]),
        ("fourteen?", 57, ["fourtee", "n?"]), ("i? i?", 1, []),
        ("a fourteen b", 40, ["a", "fourte", "en b"]), ("fourteen fifteen sixteen", 40, ["fourte", "en", "fifte…"]),
        ("👩‍👩‍👧‍👦👩‍👩‍👧‍👦e\u{301}", 40, ["👩‍👩‍👧‍👦👩‍👩‍👧‍👦", "e\u{301}"]), ("メッセージッ", 50, ["メッ", "セー", "ジッ"]), ("More ›", 40, ["More", "›"]),
        ("Show More ›", 60, ["Show", "More ›"]),
        ("", 60, []),
    ])
    func linesEndBetweenWordsOrCharacters(_ text: String, _ room: Int, _ lines: [String]) {
        #expect(LineStyle(TextScale(.large)).lines(of: text, within: Points(room), atMost: 3) == lines)
    }
}
