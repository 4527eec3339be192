import Targeting
import Testing
import WaypostSchema

/// Row 2 of targeting.md 1.2: the choice among scenes with the same suitability.
@Suite struct TieBreakTests {
    /// The causes of equal suitability.
    private static let ties: [(prefers: String, identifier: TargetContentIdentifier?)] = [
        ("FALSEPREDICATE", nil),
        ("FALSEPREDICATE", "crusty"),
        ("TRUEPREDICATE", "crusty"),
    ]

    @Test(arguments: [
        (SceneState.foregroundActive, SceneState.foregroundInactive),
        (.foregroundInactive, .background),
        (.background, .disconnected),
        (.foregroundActive, .background),
        (.foregroundActive, .disconnected),
        (.foregroundInactive, .disconnected),
    ])
    func moreVisibleStateWinsOverRecency(_ near: SceneState, _ far: SceneState) throws {
        for tie in Self.ties {
            let winner = try SceneCandidate.named("Z", near, prefers: tie.prefers)
            let loser = try SceneCandidate.named("A", far, at: 9, prefers: tie.prefers)
            expect(winner, over: loser, for: tie.identifier, by: .state)
        }
    }

    @Test(arguments: SceneState.allCases)
    func mostRecentlyActivatedWinsWithinAState(_ state: SceneState) throws {
        for tie in Self.ties {
            let winner = try SceneCandidate.named("Z", state, at: 2, prefers: tie.prefers)
            let loser = try SceneCandidate.named("A", state, at: 1, prefers: tie.prefers)
            expect(winner, over: loser, for: tie.identifier, by: .recency)
        }
    }

    @Test(arguments: [5, 4])
    func numberOfTheActivationDecidesBeforeItsTime(_ milliseconds: Int) throws {
        var winner = try SceneCandidate.named("Z", .foregroundActive, at: milliseconds)
        winner.activationNumber = 2
        var loser = try SceneCandidate.named("A", .foregroundActive, at: 5)
        expect(winner, over: loser, for: nil, by: .recency)
        loser.activationNumber = 1
        expect(winner, over: loser, for: nil, by: .recency)
    }

    @Test(arguments: [0, 1, -1, Int.min + 1, Int.min])
    func neverActivatedSceneIsLastWithinAState(_ milliseconds: Int) throws {
        let winner = try SceneCandidate.named("Z", at: milliseconds)
        let loser = try SceneCandidate.named("A")
        expect(winner, over: loser, for: nil, by: .recency)
    }

    @Test(arguments: [nil, 5])
    func firstIdentifierWinsIfAllElseIsEqual(_ milliseconds: Int?) throws {
        for tie in Self.ties {
            let winner = try SceneCandidate.named("A", at: milliseconds, prefers: tie.prefers)
            let loser = try SceneCandidate.named("B", at: milliseconds, prefers: tie.prefers)
            expect(winner, over: loser, for: tie.identifier, by: .identifier)
        }
    }

    @Test func singleSceneNeedsNoTieBreak() throws {
        #expect(SceneSelection.decide(for: nil, among: [try .named("A")]).tieBreak == nil)
        #expect(SceneSelection.decide(for: "crusty", among: [try .named("A")]).tieBreak == nil)
    }

    @Test func scenesThatCannotDisplayTheContentAreInOrder() throws {
        let scenes = [
            try SceneCandidate.named("C", .disconnected, can: "FALSEPREDICATE"),
            try SceneCandidate.named("B", .background, can: "FALSEPREDICATE"),
            try SceneCandidate.named("A", .background, at: 1, can: "FALSEPREDICATE"),
        ]
        let decision = SceneSelection.decide(for: "crusty", among: scenes)
        #expect(decision.trace.map(\.scene) == ["A", "B", "C"])
    }

    private func expect(
        _ winner: SceneCandidate,
        over loser: SceneCandidate,
        for identifier: TargetContentIdentifier?,
        by tieBreak: SceneDecision.TieBreak
    ) {
        for scenes in [[winner, loser], [loser, winner]] {
            let decision = SceneSelection.decide(for: identifier, among: scenes)
            #expect(decision.scene == winner.identifier)
            #expect(decision.tieBreak == tieBreak)
        }
    }
}
