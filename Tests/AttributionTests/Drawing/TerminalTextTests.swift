import Testing
import WaypostSchema

@testable import Attribution

@Suite struct TerminalTextTests {
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
