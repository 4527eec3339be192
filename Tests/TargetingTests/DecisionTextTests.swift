import Targeting
import Testing
import WaypostSchema

/// The text of a decision for a terminal.
@Suite struct DecisionTextTests {
    @Test func textHasTheConditionsOfEveryScene() throws {
        let scenes = [
            try SceneCandidate.named("overview", .foregroundActive),
            try SceneCandidate.named(
                "crusty",
                .disconnected,
                can: "SELF == 'crusty'",
                prefers: "SELF == 'krusty' OR NOT SELF BEGINSWITH 'b'"
            ),
        ]
        let expected = """
            crusty: crusty prefers the content
            ▶ crusty (disconnected): won: prefers the content
                can: true: SELF == "crusty": SELF equals it
                prefers: true, because SELF BEGINSWITH "b" is false: SELF begins with "crusty", not with "b"
              overview (foregroundActive): lost: can display the content, but crusty prefers it
                can: true: TRUEPREDICATE: it is always true
                prefers: false: FALSEPREDICATE: it is always false
            """
        #expect(SceneSelection.decide(for: "crusty", among: scenes).text == expected)
    }

    @Test func textHasFindingsAndTheReplacementOfAnIdentifier() throws {
        let query = SceneQuery.userActivity("", webpageURL: "https://a")
        let text = SceneSelection.decide(for: query, among: [try .named("A", can: "SELF > 5")]).text
        let lines = text.split(separator: "\n")
        #expect(lines.first?.hasPrefix("https://a (the webpageURL, because there is no identifier): no scene") == true)
        #expect(lines.contains("! the target content identifier is empty, which counts as absent"))
        #expect(text.contains("can: false, because SELF > 5 cannot be evaluated: found a string and the number 5"))
    }

    @Test func controlCharactersAreEscaped() throws {
        let text = SceneSelection.decide(for: "a\u{1B}[31m\nb", among: [try .named("A")]).text
        #expect(text.hasPrefix(#"a\u{1B}[31m\nb: A can display"#))
    }

    @Test func ignoredConditionsAreNotInTheText() throws {
        let text = SceneSelection.decide(for: nil, among: [try .named("A")]).text
        #expect(
            text == """
                no identifier: without an identifier, conditions are ignored: of the scenes, A is the only one
                ▶ A (background): won: in the background
                """
        )
    }
}
