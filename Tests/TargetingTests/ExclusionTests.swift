import Targeting
import Testing
import WaypostSchema
import WaypostTestSupport

/// Row 8 of targeting.md 1.2: scenes that cannot be candidates, whatever their conditions.
@Suite struct ExclusionTests {
    private static let queries: [SceneQuery] = [.notification("crusty"), .notification(nil)]

    @Test(arguments: queries, [true, false])
    func sceneOfAnotherRoleIsNotACandidate(_ query: SceneQuery, _ supportsMultipleScenes: Bool) throws {
        var stage = try SceneCandidate.named("stage", .foregroundActive, at: 9, prefers: "TRUEPREDICATE")
        stage.role = "windowExternalDisplayNonInteractive"
        let rules = SelectionRules(supportsMultipleScenes: supportsMultipleScenes)
        let decision = SceneSelection.decide(for: query, among: [stage, try .named("window")], rules)
        #expect(decision.scene == "window")
        #expect(decision.tieBreak == nil)
        let trace = try #require(decision.trace(of: "stage"))
        #expect(
            trace.explanation == "not a candidate: not a window of the app, but windowExternalDisplayNonInteractive"
        )
        #expect(trace.suitability == nil && trace.can == nil && trace.prefers == nil)
        #expect(decision.trace.map(\.scene) == ["window", "stage"])
    }

    @Test(.proves("T26"), arguments: queries)
    func sceneOfAnotherAppIsNotACandidate(_ query: SceneQuery) throws {
        var stranger = try SceneCandidate.named("stranger", .foregroundActive, at: 9, prefers: "TRUEPREDICATE")
        stranger.app = "com.example.circus"
        var own = try SceneCandidate.named("own")
        own.app = "com.example.clowntown"
        let rules = SelectionRules(app: "com.example.clowntown")
        let decision = SceneSelection.decide(for: query, among: [stranger, own], rules)
        #expect(decision.scene == "own")
        #expect(decision.trace(of: "stranger")?.explanation == "not a candidate: a scene of com.example.circus")
    }

    @Test(arguments: queries)
    func newSceneIsCreatedIfThereIsNoCandidate(_ query: SceneQuery) throws {
        var stage = try SceneCandidate.named("stage")
        stage.role = "immersiveSpaceApplication"
        let decision = SceneSelection.decide(for: query, among: [stage])
        #expect(decision.outcome == .create)
        #expect(decision.reason == (query.targetContentIdentifier == nil ? .noIdentifier : .noneCan))
        #expect(decision.explanation == "the app has no scene, so a new one is created")
    }

    @Test func conditionsOfAnExcludedSceneCauseNoFinding() throws {
        var stage = try SceneCandidate.named("stage", can: "FALSEPREDICATE", prefers: "TRUEPREDICATE")
        stage.role = "immersiveSpaceApplication"
        #expect(SceneSelection.decide(for: "crusty", among: [stage]).findings.isEmpty)
    }
}
