import Testing
import WaypostSchema

@testable import Attribution

@Suite struct TerminalTextTests {
    @Test(arguments: [
        ("\u{2068}Ann\u{2069} and \u{2068}Bo\u{2069}", "Ann and Bo"),
        ("\u{2068}سارة\u{2069} and \u{2068}Bo\u{2069}", "\u{2068}سارة\u{2069} and \u{2068}Bo\u{2069}"),
        ("\u{1B}[31mred\u{7}", "\u{FFFD}[31mred\u{FFFD}"),
        ("a\nb\u{9B}2J\u{2028}", "a\u{FFFD}b\u{FFFD}2J\u{FFFD}"),
        ("a\u{202E}b\u{202C}", "a\u{FFFD}b\u{FFFD}"),
        ("👩‍👩‍👧 田中", "👩‍👩‍👧 田中"),
    ])
    func textWithoutDisplayEffectIsRemovedOrReplaced(_ text: String, _ safe: String) {
        #expect(text.safe(for: .terminal) == safe)
    }

    @Test(arguments: [
        (320, "(EN)(SK)(TW) Enrique, Sarah, and 3 others  [Pinned]"), (130, "(EN)(SK)(TW) +2  [Pinned]"),
        (45, "(EN)"), (0, ""),
    ])
    func lineShowsAsMuchAsTheView(_ width: Int, _ line: String) {
        let preferences = AttributionPreferences(width: Double(width))
        let drawing = AttributionDrawing.of(Person.friends, isPinned: true, preferences: preferences)
        #expect(drawing.terminalText == line)
    }

    @Test func silhouetteIsADotAndThePinIsInTheUsersLanguage() {
        let people = [Person.unknown[0]] + Person.friends.prefix(1)
        let drawing = AttributionDrawing.of(people, .japanese, isPinned: true)
        #expect(drawing.terminalText == "(·)(EN) +1 408 555 0100、Enrique  [ピンで固定済み]")
    }
}
