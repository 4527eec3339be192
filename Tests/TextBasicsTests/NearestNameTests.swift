import Testing
import TextBasics

/// Names that were misspelled.
@Suite struct NearestNameTests {
    @Test(
        arguments: [
            ("topc", "topic"), ("Topic", "topic"), ("tpoic", "topic"), ("Topc", "topic"),
            ("collapse-ids", "collapse-id"), ("zzz", nil),
            ("to", nil), ("", nil),
        ] as [(String, String?)]
    )
    func misspellingHasItsName(_ name: String, _ nearest: String?) {
        #expect(name.nearest(among: ["topic", "title", "collapse-id"]) == nearest)
    }

    @Test(arguments: [
        ("", "", 0), ("", "abc", 3), ("abc", "abc", 0), ("abc", "abd", 1), ("abc", "acb", 1), ("abcdef", "badcfe", 3),
        ("kitten", "sitting", 3),
    ])
    func editsAreInsertionsRemovalsReplacementsAndSwaps(_ one: String, _ other: String, edits: Int) {
        #expect(one.editDistance(to: other) == edits)
        #expect(other.editDistance(to: one) == edits)
    }

    @Test func fewestEditsWin() {
        #expect("sandbx".nearest(among: ["sandboxes", "sandbox"]) == "sandbox")
    }
}
