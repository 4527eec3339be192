import PredicateFormat
import Targeting
import Testing
import WaypostSchema
import WaypostTestSupport

/// The examples of the talk *Targeting Content with Multiple Windows*, each named after a sentence of it.
@Suite struct TalkExampleTests {
    private static let crusty: TargetContentIdentifier = "https://clowntown.example/clowns/crusty"
    private static let bubbles: TargetContentIdentifier = "https://clowntown.example/clowns/bubbles"
    private static let isCrusty = "SELF == 'https://clowntown.example/clowns/crusty'"

    /// Clown Town: a scene with all clowns in the area, and a scene for Crusty alone.
    private let clownTown: [SceneCandidate]

    /// A tabbed app: two windows with their open documents.
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

    @Test(.proves("T28", "T39", "T43", "T45", "T46")) func crustysDetailSceneOpensForCrusty() {
        let decision = SceneSelection.decide(for: Self.crusty, among: clownTown)
        #expect(decision.scene == "crusty")
        #expect(decision.reason == .prefers)
    }

    @Test(.proves("T44")) func overviewOpensForAnyOtherClown() {
        let decision = SceneSelection.decide(for: Self.bubbles, among: clownTown)
        #expect(decision.scene == "overview")
        #expect(decision.reason == .can)
    }

    @Test(.proves("T38")) func overviewCanDisplayAnythingButDoesNotPreferAnythingSpecifically() {
        let trace = SceneSelection.decide(for: Self.crusty, among: clownTown).trace(of: "overview")
        #expect(trace?.suitability == 1)
    }

    @Test(.proves("T42", "T44")) func detailSceneActivatesOnlyIfTheContentIsAboutCrusty() {
        let trace = SceneSelection.decide(for: Self.bubbles, among: clownTown).trace(of: "crusty")
        #expect(trace?.suitability == 0)
    }

    @Test(.proves("T5", "T6")) func appNeedNotBeRunning() throws {
        let closed = clownTown.map { scene in
            var scene = scene
            scene.state = .disconnected
            return scene
        }
        #expect(SceneSelection.decide(for: Self.crusty, among: closed).scene == "crusty")
        #expect(SceneSelection.decide(for: Self.bubbles, among: closed).scene == "overview")
    }

    @Test(
        .proves("T58", "T59", "T62"),
        arguments: [
            ("doc/1", "left"), ("doc/2", "left"), ("doc/3", "right"), ("doc/4", "right"), ("doc/5", "right"),
        ] as [(TargetContentIdentifier, SceneIdentifier)]
    )
    func documentOpensInTheWindowThatHasItInATab(_ document: TargetContentIdentifier, _ window: SceneIdentifier) {
        let decision = SceneSelection.decide(for: document, among: tabbed)
        #expect(decision.scene == window)
        #expect(decision.reason == .prefers)
    }

    @Test(.proves("T60", "T61")) func anySceneCanDisplayADocumentThatIsNotInATab() {
        let decision = SceneSelection.decide(for: "doc/6", among: tabbed)
        #expect(decision.scene == "left")
        #expect(decision.reason == .can)
        #expect(decision.tieBreak == .state)
    }

    /// The talk: "block-based predicates aren't allowed", because code cannot be packaged.
    @Test(.proves("T49", "T50")) func blockBasedPredicatesAreNotAllowed() throws {
        let error = try refusal(of: "BLOCKPREDICATE(0x10f3c2d10)")
        #expect(error.code == .forbidden)
        #expect(error.message.contains("BLOCKPREDICATE"))
        #expect(error.message.contains("a block cannot leave its app"))
    }

    /// The talk: "regular expression-based predicates aren't allowed", because their evaluation can take any time;
    /// "take a look at the like operator".
    @Test(.proves("T51", "T53")) func regularExpressionsAreNotAllowedAndLikeIsSuggested() throws {
        let error = try refusal(of: "SELF MATCHES 'https://clowntown\\\\.example/.*'")
        #expect(error.code == .forbidden)
        #expect(error.message.contains("LIKE"))
        let scene = try SceneCandidate.named("A", prefers: "SELF LIKE 'https://clowntown.example/*'")
        #expect(SceneSelection.decide(for: Self.crusty, among: [scene]).reason == .prefers)
    }

    /// The talk: "the only keypath your NSPredicate can reference is self", not "the length of the string".
    @Test(.proves("T55", "T56"), arguments: ["length > 3", "SELF.length > 3"])
    func selfIsTheOnlyKeyPath(_ format: String) throws {
        let error = try refusal(of: format)
        #expect(error.code == .forbidden)
        #expect(error.message.contains("no key path but SELF"))
        #expect(error.message.contains("length"))
    }

    /// The talk: "your UIScene Activation conditions will be set up to allow any content but not prefer anything".
    @Test(.proves("T40", "T41")) func defaultAllowsAnyContentAndPrefersNone() {
        #expect(CompiledConditions().can.description == "TRUEPREDICATE")
        #expect(CompiledConditions().prefers.description == "FALSEPREDICATE")
    }

    private func refusal(of format: String) throws -> ContentPredicateError {
        let error = try #require(throws: ConditionError.self) {
            try CompiledConditions(ActivationConditions(can: format))
        }
        return error.predicateError
    }

    @Test func stateRestorationSamplePrefersAProductItSaysItCannotDisplay() throws {
        let scenes: [SceneCandidate] = [
            try .named("all products", .foregroundActive),
            try .named("product", .background, can: "FALSEPREDICATE", prefers: "SELF == 'product/7'"),
        ]
        let decision = SceneSelection.decide(for: "product/7", among: scenes)
        #expect(decision.scene == "product")
        #expect(decision.findings.count == 1)
    }
}
