import Targeting
import Testing
import WaypostSchema

/// The examples of the talk *Targeting Content with Multiple Windows*, each by a sentence of it.
@Suite struct TalkExampleTests {
    private static let crusty: TargetContentIdentifier = "https://clowntown.example/clowns/crusty"
    private static let bubbles: TargetContentIdentifier = "https://clowntown.example/clowns/bubbles"
    private static let isCrusty = "SELF == 'https://clowntown.example/clowns/crusty'"

    /// Clown Town: all clowns in the area, and a scene set up just for Crusty.
    private let clownTown: [SceneCandidate]

    /// A tabbed app: two windows with the documents that they have open.
    private let tabbed: [SceneCandidate]

    init() throws {
        clownTown = [
            SceneCandidate(identifier: "overview", state: .foregroundActive, lastActivated: Timestamp(milliseconds: 2)),
            try .named("crusty", .disconnected, at: 1, can: Self.isCrusty, prefers: Self.isCrusty),
        ]
        tabbed = [
            try .named("left", .foregroundActive, prefers: "SELF == 'doc/1' OR SELF == 'doc/2'"),
            try .named("right", .background, prefers: "SELF == 'doc/3' OR SELF == 'doc/4' OR SELF == 'doc/5'"),
        ]
    }

    @Test func crustysDetailSceneOpensForCrusty() {
        let decision = SceneSelection.select(for: Self.crusty, among: clownTown)
        #expect(decision.scene == "crusty")
        #expect(decision.reason == .prefers)
    }

    @Test func theOverviewOpensForAnyOtherClown() {
        let decision = SceneSelection.select(for: Self.bubbles, among: clownTown)
        #expect(decision.scene == "overview")
        #expect(decision.reason == .can)
    }

    @Test func theOverviewCanDisplayAnythingButDoesNotPreferAnythingSpecifically() {
        let trace = SceneSelection.select(for: Self.crusty, among: clownTown).trace(of: "overview")
        #expect(trace?.suitability == 1)
    }

    @Test func theDetailSceneActivatesOnlyIfTheContentIsAboutCrusty() {
        let trace = SceneSelection.select(for: Self.bubbles, among: clownTown).trace(of: "crusty")
        #expect(trace?.suitability == 0)
    }

    @Test func theAppNeedNotBeRunning() throws {
        let closed = clownTown.map { scene in
            var scene = scene
            scene.state = .disconnected
            return scene
        }
        #expect(SceneSelection.select(for: Self.crusty, among: closed).scene == "crusty")
        #expect(SceneSelection.select(for: Self.bubbles, among: closed).scene == "overview")
    }

    @Test(
        arguments: [
            ("doc/1", "left"), ("doc/2", "left"), ("doc/3", "right"), ("doc/4", "right"), ("doc/5", "right"),
        ] as [(TargetContentIdentifier, SceneIdentifier)]
    )
    func documentOpensInTheWindowThatHasItInATab(_ document: TargetContentIdentifier, _ window: SceneIdentifier) {
        let decision = SceneSelection.select(for: document, among: tabbed)
        #expect(decision.scene == window)
        #expect(decision.reason == .prefers)
    }

    @Test func anySceneCanDisplayAnyDocumentThatIsInNoTab() {
        let decision = SceneSelection.select(for: "doc/6", among: tabbed)
        #expect(decision.scene == "left")
        #expect(decision.reason == .can)
        #expect(decision.tieBreak == .state)
    }

    @Test func stateRestorationSamplePrefersAProductItSaysItCannotDisplay() throws {
        let scenes: [SceneCandidate] = [
            try .named("all products", .foregroundActive),
            try .named("product", .background, can: "FALSEPREDICATE", prefers: "SELF == 'product/7'"),
        ]
        let decision = SceneSelection.select(for: "product/7", among: scenes)
        #expect(decision.scene == "product")
        #expect(decision.findings.count == 1)
    }
}
