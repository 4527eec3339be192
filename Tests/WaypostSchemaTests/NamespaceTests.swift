import Testing
import WaypostSchema

@Suite struct NamespaceTests {
    @Test(arguments: ["default", "a", "A", "z", "Z", "0", "9", "-", "_", "a.", "Run_7.clown-town", longest])
    func nameOfLettersDigitsAndThreePunctuationMarksIsWellFormed(_ name: String) {
        #expect(Namespace(rawValue: name).isWellFormed)
    }

    @Test(arguments: [
        "", ".", "..", ".a", longest + "a", "clown town", "clown/town", "clown\ntown", "clown\0", "größer", "ä", "🤡",
        "é", "٣",
        "@", "[", "`", "{", ":", ",", "~",
    ])
    func otherNameIsNotWellFormed(_ name: String) {
        #expect(!Namespace(rawValue: name).isWellFormed)
    }

    @Test func requestWithoutANamespaceUsesTheDefault() {
        #expect(Namespace.standard.rawValue == "default")
        #expect(Namespace.standard.isWellFormed)
    }

    private static let longest = String(repeating: "a", count: 64)
}
