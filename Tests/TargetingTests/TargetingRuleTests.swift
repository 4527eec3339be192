import Targeting
import Testing
import WaypostSchema
import WaypostTestSupport

/// The choice of the scene: the documented rules, and table 1.2 of targeting.md for what the documentation leaves open.
@Suite struct TargetingRuleTests {
    private static let crusty: TargetContentIdentifier = "https://clowntown.example/clowns/crusty"
    private static let isCrusty = "SELF == 'https://clowntown.example/clowns/crusty'"

    // MARK: - Documented rules

    @Test(.proves("T40", "T41")) func sceneThatSetsNoConditionsCanDisplayAnythingAndPrefersNothing() throws {
        let scene = SceneCandidate(identifier: "A", state: .background)
        let decision = SceneSelection.decide(for: Self.crusty, among: [scene])
        #expect(decision.outcome == .activate)
        #expect(decision.reason == .can)
        #expect(decision.trace(of: "A")?.can?.predicate == "TRUEPREDICATE")
        #expect(decision.trace(of: "A")?.can?.result == true)
        #expect(decision.trace(of: "A")?.prefers?.predicate == "FALSEPREDICATE")
        #expect(decision.trace(of: "A")?.prefers?.result == false)
    }

    @Test(.proves("T17")) func sceneThatPrefersTheContentBeatsOneThatCanDisplayIt() throws {
        let scenes = [
            try SceneCandidate.named("can", .foregroundActive, at: 9),
            try SceneCandidate.named("prefers", .disconnected, prefers: Self.isCrusty),
        ]
        let decision = SceneSelection.decide(for: Self.crusty, among: scenes)
        #expect(decision.scene == "prefers")
        #expect(decision.reason == .prefers)
        #expect(decision.tieBreak == nil)
    }

    @Test(.proves("T16", "T18")) func sceneThatCanDisplayTheContentBeatsOneThatCannot() throws {
        let scenes = [
            try SceneCandidate.named("cannot", .foregroundActive, at: 9, can: "FALSEPREDICATE"),
            try SceneCandidate.named("can", .disconnected),
        ]
        let decision = SceneSelection.decide(for: Self.crusty, among: scenes)
        #expect(decision.scene == "can")
        #expect(decision.reason == .can)
        #expect(decision.tieBreak == nil)
    }

    // MARK: - Row 1

    @Test func sceneThatPrefersWhatItCannotDisplayStillWins() throws {
        let scenes = [
            try SceneCandidate.named("can", .foregroundActive, at: 9),
            try SceneCandidate.named("odd", can: "FALSEPREDICATE", prefers: Self.isCrusty),
        ]
        let decision = SceneSelection.decide(for: Self.crusty, among: scenes)
        #expect(decision.scene == "odd")
        #expect(decision.trace(of: "odd")?.suitability == 2)
    }

    @Test func sceneThatPrefersWhatItCannotDisplayIsAFindingEvenIfItLoses() throws {
        let scenes = [
            try SceneCandidate.named("odd", can: "FALSEPREDICATE", prefers: Self.isCrusty),
            try SceneCandidate.named("sound", .foregroundActive, can: Self.isCrusty, prefers: Self.isCrusty),
        ]
        let decision = SceneSelection.decide(for: Self.crusty, among: scenes)
        #expect(decision.scene == "sound")
        #expect(decision.findings.count == 1)
        #expect(decision.findings.first?.hasPrefix("odd prefers") == true)
    }

    @Test func inconsistentConditionsAreNotAFindingForOtherContent() throws {
        let scene = try SceneCandidate.named("odd", can: "FALSEPREDICATE", prefers: Self.isCrusty)
        #expect(SceneSelection.decide(for: "bubbles", among: [scene]).findings.isEmpty)
    }

    // MARK: - Row 3

    @Test(.proves("T20")) func newSceneIsCreatedIfNoneCanDisplayTheContent() throws {
        let scenes = [
            try SceneCandidate.named("A", .foregroundActive, can: "FALSEPREDICATE"),
            try SceneCandidate.named("B", can: "SELF BEGINSWITH 'https://other.example/'"),
        ]
        let decision = SceneSelection.decide(for: Self.crusty, among: scenes)
        #expect(decision.outcome == .create)
        #expect(decision.scene == nil)
        #expect(decision.reason == .noneCan)
        #expect(decision.tieBreak == nil)
    }

    @Test(arguments: [nil, "", "https://clowntown.example/"] as [TargetContentIdentifier?], [true, false])
    func newSceneIsCreatedIfTheAppHasNone(_ identifier: TargetContentIdentifier?, _ supportsMultipleScenes: Bool) {
        let decision = SceneSelection.decide(
            for: identifier,
            among: [],
            supportsMultipleScenes: supportsMultipleScenes
        )
        #expect(decision.outcome == .create)
        #expect(decision.scene == nil)
        #expect(decision.trace.isEmpty)
    }

    // MARK: - Rows 4 and 6

    @Test(arguments: [nil, ""] as [TargetContentIdentifier?])
    func conditionsAreIgnoredWithoutAnIdentifier(_ identifier: TargetContentIdentifier?) throws {
        let scenes = [
            try SceneCandidate.named("prefers", .background, can: "TRUEPREDICATE", prefers: "TRUEPREDICATE"),
            try SceneCandidate.named("cannot", .foregroundInactive, can: "FALSEPREDICATE"),
        ]
        let decision = SceneSelection.decide(for: identifier, among: scenes)
        #expect(decision.scene == "cannot")
        #expect(decision.reason == .noIdentifier)
        #expect(decision.tieBreak == .state)
        #expect(decision.targetContentIdentifier == identifier)
        #expect(decision.trace.allSatisfy { $0.suitability == nil && $0.can == nil && $0.prefers == nil })
    }

    @Test func absentIdentifierIsNotAFinding() throws {
        #expect(SceneSelection.decide(for: nil, among: [try .named("A")]).findings.isEmpty)
    }

    @Test(arguments: [true, false])
    func emptyIdentifierIsAFinding(_ supportsMultipleScenes: Bool) throws {
        let decision = SceneSelection.decide(
            for: "",
            among: [try .named("A")],
            supportsMultipleScenes: supportsMultipleScenes
        )
        #expect(decision.findings == ["the target content identifier is empty, which counts as absent"])
    }

    @Test func blankIdentifierIsAnIdentifier() throws {
        let decision = SceneSelection.decide(for: " ", among: [try .named("A", can: "SELF == ' '")])
        #expect(decision.reason == .can)
        #expect(decision.findings.isEmpty)
    }

    // MARK: - Row 5

    @Test(.proves("T1"), arguments: [nil, "", "https://clowntown.example/"] as [TargetContentIdentifier?])
    func conditionsAreIgnoredIfTheAppSupportsOneScene(_ identifier: TargetContentIdentifier?) throws {
        let scene = try SceneCandidate.named("only", .disconnected, can: "FALSEPREDICATE", prefers: "TRUEPREDICATE")
        let decision = SceneSelection.decide(for: identifier, among: [scene], supportsMultipleScenes: false)
        #expect(decision.outcome == .activate)
        #expect(decision.scene == "only")
        #expect(decision.reason == .singleScene)
        #expect(decision.explanation.contains("conditions are ignored"))
        #expect(decision.trace(of: "only")?.suitability == nil)
        #expect(decision.trace(of: "only")?.can == nil)
    }

    // MARK: - Row 7

    @Test(.proves("T6")) func disconnectedSessionIsACandidateWithItsConditions() throws {
        let scenes = [
            try SceneCandidate.named("live", .foregroundActive, at: 9, can: "FALSEPREDICATE"),
            try SceneCandidate.named("packaged", .disconnected, can: Self.isCrusty),
        ]
        #expect(SceneSelection.decide(for: Self.crusty, among: scenes).scene == "packaged")
        #expect(SceneSelection.decide(for: "bubbles", among: scenes).outcome == .create)
    }
}
