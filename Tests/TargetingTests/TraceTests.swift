import Targeting
import Testing
import WaypostSchema
import WaypostTestSupport

/// The trace and the explanation of a decision.
@Suite struct TraceTests {
    private static let crusty: TargetContentIdentifier = "crusty"

    private static func scenes() throws -> [SceneCandidate] {
        [
            try .named("cannot", .foregroundActive, can: "FALSEPREDICATE"),
            try .named("can", .foregroundInactive),
            try .named("late", .background, prefers: "SELF == 'crusty'"),
            try .named("early", .foregroundInactive, prefers: "SELF == 'crusty'"),
        ]
    }

    @Test(.proves("T12", "T26")) func everySceneIsTracedOnceInOrder() throws {
        let decision = SceneSelection.decide(for: Self.crusty, among: try Self.scenes())
        #expect(decision.trace.map(\.scene) == ["early", "late", "can", "cannot"])
        #expect(decision.trace.map(\.won) == [true, false, false, false])
        #expect(decision.trace.map(\.suitability) == [2, 2, 1, 0])
    }

    @Test func noSceneWinsIfANewSceneIsCreated() throws {
        let scenes = try ["B", "A"].map { try SceneCandidate.named($0, can: "FALSEPREDICATE") }
        let decision = SceneSelection.decide(for: Self.crusty, among: scenes)
        #expect(decision.trace.map(\.scene) == ["A", "B"])
        #expect(decision.trace.map(\.won) == [false, false])
        #expect(decision.trace.map(\.suitability) == [0, 0])
    }

    @Test func conditionsAreTracedInCanonicalFormWithTheirResults() throws {
        let scene = try SceneCandidate.named("A", can: "self beginswith 'cru'", prefers: "not (self == 'crusty')")
        let trace = SceneSelection.decide(for: Self.crusty, among: [scene]).trace(of: "A")
        let can = ConditionTrace(
            predicate: "SELF BEGINSWITH \"cru\"",
            result: true,
            deciding: DecidingPredicate(
                predicate: "SELF BEGINSWITH \"cru\"",
                result: true,
                because: "SELF begins with it"
            )
        )
        let prefers = ConditionTrace(
            predicate: "NOT SELF == \"crusty\"",
            result: false,
            deciding: DecidingPredicate(predicate: "SELF == \"crusty\"", result: true, because: "SELF equals it")
        )
        #expect(trace?.can == can)
        #expect(trace?.prefers == prefers)
    }

    @Test func traceHasTheStateBeforeTheChoice() throws {
        let decision = SceneSelection.decide(for: Self.crusty, among: try Self.scenes())
        #expect(
            decision.trace.map(\.state) == [.foregroundInactive, .background, .foregroundInactive, .foregroundActive]
        )
    }

    @Test(
        .proves("T27"),
        arguments: [
            ("early", "won: prefers the content"),
            ("late", "lost: prefers the content, but early is foreground inactive"),
            ("can", "lost: can display the content, but early prefers it"),
            ("cannot", "lost: cannot display the content"),
        ] as [(SceneIdentifier, String)]
    )
    func explanationSaysWhyASceneWonOrLost(_ scene: SceneIdentifier, _ explanation: String) throws {
        let decision = SceneSelection.decide(for: Self.crusty, among: try Self.scenes())
        #expect(decision.trace(of: scene)?.explanation == explanation)
    }

    @Test func explanationOfALoserNamesTheTieBreak() throws {
        let scenes: [SceneCandidate] = [
            try .named("A", at: 2), try .named("B", at: 1), try .named("C", at: 2),
            try .named("D", .disconnected, at: 3),
        ]
        let decision = SceneSelection.decide(for: nil, among: scenes)
        #expect(decision.trace(of: "A")?.explanation == "won: in the background")
        #expect(decision.trace(of: "B")?.explanation == "lost: in the background, but A was activated more recently")
        #expect(decision.trace(of: "C")?.explanation == "lost: in the background, but A has the first identifier")
        #expect(decision.trace(of: "D")?.explanation == "lost: disconnected, but A is in the background")
    }

    @Test(arguments: [nil, "", "crusty", "bubbles"] as [TargetContentIdentifier?], [true, false])
    func explanationNamesTheWinner(_ identifier: TargetContentIdentifier?, _ supportsMultipleScenes: Bool) throws {
        let decision = SceneSelection.decide(
            for: identifier,
            among: try Self.scenes(),
            supportsMultipleScenes: supportsMultipleScenes
        )
        let winner = try #require(decision.scene)
        #expect(decision.explanation.contains(winner.rawValue))
    }

    @Test func explanationMentionsANewScene() throws {
        let decision = SceneSelection.decide(for: Self.crusty, among: [try .named("A", can: "FALSEPREDICATE")])
        #expect(decision.explanation == "no scene can display the content, so a new one is created")
    }

    @Test(
        arguments: [
            (.foregroundActive, nil, "foreground active"),
            (.background, 7, "was activated last"),
            (.background, nil, "has the first identifier"),
        ] as [(SceneState, Int?, String)]
    )
    func explanationNamesTheTieBreak(_ state: SceneState, _ milliseconds: Int?, _ words: String) throws {
        let scenes: [SceneCandidate] = [try .named("A", state, at: milliseconds), try .named("B")]
        for identifier in [nil, "crusty"] as [TargetContentIdentifier?] {
            let decision = SceneSelection.decide(for: identifier, among: scenes)
            #expect(decision.scene == "A")
            #expect(decision.explanation.hasSuffix(words))
        }
    }
}
