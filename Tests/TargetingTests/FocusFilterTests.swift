import Targeting
import Testing
import WaypostSchema

/// The prefix of a Focus filter, which stands before every identifier (rule 12 of `docs/targeting.md`).
@Suite struct FocusFilterTests {
    private static func decision(_ query: SceneQuery, _ rules: SelectionRules) throws -> SceneDecision {
        let scenes = [
            try SceneCandidate.named("work", prefers: "SELF BEGINSWITH 'focus://work/'"),
            try SceneCandidate.named("other", .foregroundActive),
        ]
        return SceneSelection.select(for: query, among: scenes, rules: rules)
    }

    @Test(
        arguments: [
            (.notification("shows/7"), "focus://work/shows/7"), (.shortcutItem("shows/7"), "focus://work/shows/7"),
            (.userActivity(nil, webpageURL: "https://tv.example"), "focus://work/https://tv.example"),
            (.urlContext("tv://shows"), "focus://work/tv://shows"),
        ] as [(SceneQuery, String)]
    )
    func prefixStandsBeforeEveryIdentifier(_ query: SceneQuery, _ text: String) throws {
        let decision = try Self.decision(query, SelectionRules(focusPrefix: "//work/"))
        #expect(decision.subject?.text == text)
        #expect(decision.scene == "work")
        #expect(
            decision.findings == ["the app's Focus filter is on, and puts 'focus://work/' before the identifier"]
        )
        #expect(try Self.decision(query, SelectionRules()).scene == "other")
    }

    @Test(arguments: [SelectionRules(focusPrefix: "//work/"), SelectionRules(supportsMultipleScenes: false)])
    func withoutAnIdentifierThereIsNothingToPrefix(_ rules: SelectionRules) throws {
        let decision = try Self.decision(.notification(nil), rules)
        #expect(decision.scene == "other")
        #expect(decision.findings.isEmpty)
    }

    @Test func prefixCountsForDeclarations() {
        let declarations = [
            SceneDeclaration(name: "all", kind: .windowGroup),
            SceneDeclaration(name: "work", kind: .windowGroup, matching: ["focus://work/"]),
        ]
        let rules = SelectionRules(focusPrefix: "//work/", declarations: declarations)
        #expect(DeclarationChoice(for: .notification("shows/7"), by: rules)?.declaration?.name == "work")
    }
}
