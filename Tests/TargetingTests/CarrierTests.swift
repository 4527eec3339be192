import Targeting
import Testing
import WaypostSchema
import WaypostTestSupport

/// Row 4 of targeting.md 1.2: the replacement for an identifier that a carrier does not have.
@Suite struct CarrierTests {
    struct Case: CustomTestStringConvertible {
        var query: SceneQuery
        var subject: SceneSubject?
        var findings: [String] = []
        var testDescription: String { "\(query)" }
    }

    private static let identified = SceneSubject(text: "crusty", source: .targetContentIdentifier)
    private static let page = SceneSubject(text: "https://clowntown.example/crusty", source: .webpageURL)
    private static let url = SceneSubject(text: "clowntown://crusty", source: .url)
    private static let emptyIdentifier = "the target content identifier is empty, which counts as absent"

    @Test(
        .proves("B69", "T21", "T34", "T35"),
        arguments: [
            Case(query: .notification("crusty"), subject: identified),
            Case(query: .shortcutItem("crusty"), subject: identified),
            Case(query: .userActivity("crusty"), subject: identified),
            Case(query: .userActivity("crusty", webpageURL: page.text), subject: identified),
            Case(query: .userActivity(nil, webpageURL: page.text), subject: page),
            Case(query: .userActivity("", webpageURL: page.text), subject: page, findings: [emptyIdentifier]),
            Case(query: .urlContext(url.text), subject: url),
            Case(query: .notification(nil)),
            Case(query: .shortcutItem(nil)),
            Case(query: .userActivity(nil)),
            Case(query: .notification(""), findings: [emptyIdentifier]),
            Case(
                query: .userActivity("", webpageURL: ""),
                findings: [emptyIdentifier, "the webpageURL is empty, which counts as absent"]
            ),
            Case(query: .urlContext(""), findings: ["the URL is empty, which counts as absent"]),
        ]
    )
    func conditionsAreEvaluatedOnTheIdentifierOrItsReplacement(_ example: Case) throws {
        let isSubject = example.subject.map { "SELF == '\($0.text)'" } ?? "TRUEPREDICATE"
        let scenes = [
            try SceneCandidate.named("other", .background, at: 1, prefers: "SELF == 'nothing of it'"),
            try SceneCandidate.named("one", .background, can: isSubject, prefers: isSubject),
        ]
        let decision = SceneSelection.decide(for: example.query, among: scenes)
        #expect(decision.subject == example.subject)
        #expect(decision.findings == example.findings)
        #expect(decision.reason == (example.subject == nil ? .noIdentifier : .prefers))
        #expect(decision.scene == (example.subject == nil ? "other" : "one"))
    }

    @Test func subjectIsReportedEvenIfConditionsAreIgnored() throws {
        let rules = SelectionRules(supportsMultipleScenes: false)
        let decision = SceneSelection.decide(for: .urlContext("app://a"), among: [try .named("A")], rules)
        #expect(decision.subject == SceneSubject(text: "app://a", source: .url))
        #expect(decision.reason == .singleScene)
        #expect(decision.trace(of: "A")?.can == nil)
        #expect(decision.text.hasPrefix("app://a: the app supports only one scene, so conditions are ignored"))
    }
}
