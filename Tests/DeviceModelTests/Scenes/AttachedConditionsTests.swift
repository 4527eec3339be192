import DeviceModel
import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport

/// The conditions that are attached to a scene.
@Suite struct AttachedConditionsTests {
    private static let clownTown: BundleIdentifier = "com.example.clowntown"

    /// A device whose app has two scenes, neither of which has said anything about its content.
    private var device: DeviceModel

    init() throws {
        let app = AppDescription(
            bundleIdentifier: Self.clownTown,
            scenes: [.example("left", .foregroundActive, at: 2), .example("right", at: 1)]
        )
        device = try DeviceModel(DeviceDescription(name: "tablet", apps: [app]))
    }

    /// Opens a notification about `content` on a copy of the device, and returns the scene.
    private func scene(for content: String) -> SceneIdentifier? {
        var copy = device
        return copy.deliverAndOpen(.example(about: content), at: .hour).opened?.scene
    }

    private mutating func set(_ conditions: ActivationConditions, of scene: SceneIdentifier) {
        let effects = device.go(through: .scene(.activationConditionsSet(Self.clownTown, scene, conditions)))
        #expect(effects.isEmpty)
    }

    private func conditions(of scene: SceneIdentifier) -> ActivationConditions? {
        device.scene(scene, of: Self.clownTown)?.activationConditions
    }

    @Test(
        .proves("T10"),
        arguments: [("crusty", "bozo"), ("bozo", "crusty")]
    )
    mutating func contentOpensInTheSceneThatSaysItCanShowIt(_ left: String, _ right: String) {
        #expect([left, right].map(scene) == ["left", "left"], "both scenes can show everything")
        set(ActivationConditions(can: "SELF == '\(left)'"), of: "left")
        set(ActivationConditions(can: "SELF == '\(right)'"), of: "right")
        #expect([left, right, "bubbles"].map(scene) == ["left", "right", "new-scene-1"])
    }

    @Test(.proves("T13")) mutating func conditionsBelongToTheirSceneAlone() {
        let onlyCrusty = ActivationConditions(can: "SELF == 'crusty'", prefers: "SELF == 'crusty'")
        set(onlyCrusty, of: "right")
        #expect(conditions(of: "left") == ActivationConditions())
        #expect(conditions(of: "right") == onlyCrusty)
        device.go(through: .scene(.sceneCreated(Self.clownTown, nil)))
        #expect(conditions(of: "new-scene-1") == ActivationConditions())
        set(onlyCrusty, of: "new-scene-1")
        // The next scene has the same identifier, but is another scene.
        device.go(
            through: .scene(.sceneClosed(Self.clownTown, "new-scene-1")),
            .scene(.sceneCreated(Self.clownTown, nil))
        )
        #expect(conditions(of: "new-scene-1") == ActivationConditions())
        #expect(conditions(of: "right") == onlyCrusty)
    }

    @Test(.proves("T13")) func conditionsAreAnObjectWithinTheirScene() throws {
        let text = """
            {"name": "tablet", "apps": [{"bundleIdentifier": "com.example.clowntown", "scenes": [
                {"persistentIdentifier": "left"},
                {"persistentIdentifier": "right",
                 "activationConditions": {"canActivateForTargetContentIdentifierPredicate": "SELF == 'crusty'",
                                          "prefersToActivateForTargetContentIdentifierPredicate": "SELF == 'crusty'"}}
            ]}]}
            """
        var device = try DeviceModel(JSONDecoder().decode(DeviceDescription.self, from: Data(text.utf8)))
        #expect(device.deliverAndOpen(.example("n1", about: "crusty"), at: .hour).opened?.scene == "right")
        #expect(device.deliverAndOpen(.example("n2", about: "bozo"), at: .hour).opened?.scene == "left")
    }

    /// The answers of the two predicates of a scene, and the scene's suitability.
    private static let answers: [(can: Bool, prefers: Bool, suitability: Int)] = [
        (false, false, 0), (true, false, 1), (true, true, 2), (false, true, 2),
    ]

    @Test(.proves("T14"), arguments: answers)
    mutating func eachOfTheTwoPredicatesCounts(_ answer: (can: Bool, prefers: Bool, suitability: Int)) throws {
        let predicate = { (holds: Bool) in "SELF \(holds ? "==" : "!=") 'crusty'" }
        set(ActivationConditions(can: predicate(answer.can), prefers: predicate(answer.prefers)), of: "right")
        let decision = try #require(device.sceneDecision(for: .notification("crusty"), of: Self.clownTown))
        #expect(decision.trace.first { $0.scene == "right" }?.suitability == answer.suitability)
        // The other scene can show everything, and is in the foreground.
        #expect(scene(for: "crusty") == (answer.prefers ? "right" : "left"))
        set(ActivationConditions(can: "FALSEPREDICATE"), of: "left")
        #expect(scene(for: "crusty") == (answer.suitability > 0 ? "right" : "new-scene-1"))
    }

    @Test(.proves("T14")) func conditionsHaveExactlyTwoMembers() throws {
        let conditions = ActivationConditions(can: "SELF == 'a'", prefers: "SELF == 'b'")
        let members = try JSONDecoder().decode([String: String].self, from: JSONEncoder().encode(conditions))
        #expect(
            members == [
                "canActivateForTargetContentIdentifierPredicate": "SELF == 'a'",
                "prefersToActivateForTargetContentIdentifierPredicate": "SELF == 'b'",
            ]
        )
    }
}
