import Foundation
import PredicateFormat
import Targeting
import Testing
import WaypostSchema
import WaypostTestSupport

/// Sentences of the talks that have no rule of their own, but follow from the rules.
@Suite struct TalkSentenceTests {
    private static let crusty: TargetContentIdentifier = "https://clowntown.example/clowns/crusty"

    /// Returns the scenes of an app whose scene for Crusty is behind another scene.
    private static func clownTown() throws -> [SceneCandidate] {
        let conditions = CompiledConditions(can: .equals(crusty.rawValue), prefers: .equals(crusty.rawValue))
        return [
            try .named("overview", .foregroundActive, at: 9),
            SceneCandidate(identifier: "crusty", state: .disconnected, conditions: conditions),
        ]
    }

    @Test(
        .proves("T22", "T24", "T25"),
        arguments: ["crusty", "42", "\u{1F921}", " ", "{\"clown\":1}", "no URL, but words"]
    )
    func identifierNeedNotMeanAnythingToTheSystem(_ text: String) throws {
        let scenes = [
            try SceneCandidate.named("other", .foregroundActive),
            SceneCandidate(
                identifier: "its own",
                state: .disconnected,
                conditions: CompiledConditions(can: .equals(text), prefers: .equals(text))
            ),
        ]
        let decision = SceneSelection.decide(for: TargetContentIdentifier(rawValue: text), among: scenes)
        #expect(decision.scene == "its own")
        #expect(SceneSelection.decide(for: "something else", among: scenes).scene == "other")
    }

    @Test(
        .proves("T23", "T57"),
        arguments: [
            ("https://clowntown.example/clowns/crusty", "clowns"),
            ("https://clowntown.example/clowns/bubbles/reviews", "clowns"),
            ("https://clowntown.example/orders/42", "orders"),
            ("https://clowntown.example/help", "overview"),
        ] as [(TargetContentIdentifier, SceneIdentifier)]
    )
    func structureOfIdentifiersSelectsTheSceneForAPartOfTheModel(
        _ identifier: TargetContentIdentifier,
        _ scene: SceneIdentifier
    ) throws {
        let scenes = [
            try SceneCandidate.named("overview", .foregroundActive),
            try SceneCandidate.named("clowns", prefers: "SELF BEGINSWITH 'https://clowntown.example/clowns/'"),
            try SceneCandidate.named("orders", prefers: "SELF LIKE 'https://clowntown.example/orders/*'"),
        ]
        #expect(SceneSelection.decide(for: identifier, among: scenes).scene == scene)
    }

    /// Every carrier of a universal link leads to the same scene.
    @Test(
        .proves("B69", "T28", "T29"),
        arguments: [
            .notification(crusty), .userActivity(crusty), .userActivity(nil, webpageURL: crusty.rawValue),
            .urlContext(crusty.rawValue),
        ] as [SceneQuery]
    )
    func universalLinkIsAnIdentifier(_ query: SceneQuery) throws {
        let decision = SceneSelection.decide(for: query, among: try Self.clownTown())
        #expect(decision.scene == "crusty")
        #expect(decision.reason == .prefers)
    }

    @Test(.proves("T37")) func activityFromAnotherDeviceOpensItsScene() throws {
        let activity = try JSONEncoder().encode(SceneQuery.userActivity(Self.crusty))
        let arrived = try JSONDecoder().decode(SceneQuery.self, from: activity)
        #expect(SceneSelection.decide(for: arrived, among: try Self.clownTown()).scene == "crusty")
    }
}
