import DeviceModel
import Testing
import WaypostSchema

/// The activation conditions that apps set for their scenes while the device runs.
@Suite struct SceneConditionTests {
    private static let now = Timestamp(milliseconds: 100)
    private static let clownTown: BundleIdentifier = "com.example.clowntown"
    private static let onlyCrusty = ActivationConditions(can: "SELF == 'crusty'", prefers: "SELF == 'crusty'")
    private var device: DeviceModel

    init() throws {
        device = try DeviceModel(.example)
    }

    private func decision(on content: TargetContentIdentifier) -> SceneDecision? {
        device.sceneDecision(for: .notification(content), of: Self.clownTown)
    }

    @Test mutating func newConditionsDecideTheNextChoice() {
        #expect(decision(on: "bozo")?.scene == "overview")
        let conditions = ActivationConditions(can: "SELF == 'bozo'", prefers: "SELF == 'bozo'")
        let effects = device.go(through: .scene(.activationConditionsSet(Self.clownTown, "crusty", conditions)))
        #expect(effects.isEmpty)
        #expect(decision(on: "bozo")?.scene == "crusty")
        #expect(decision(on: "bozo")?.reason == .prefers)
        #expect(decision(on: "crusty")?.scene == "overview")
        let opened = device.deliverAndOpen(.example(about: "bozo"), at: Self.now)
        #expect(opened.opened?.scene == "crusty")
    }

    @Test mutating func conditionsCanLeaveTheContentToANewScene() {
        device.go(through: .scene(.activationConditionsSet(Self.clownTown, "overview", Self.onlyCrusty)))
        #expect(decision(on: "bozo")?.outcome == .create)
        #expect(decision(on: "crusty")?.scene == "overview")
        #expect(decision(on: "crusty")?.tieBreak == .state)
    }

    @Test mutating func conditionsCanBeTexts() {
        let conditions = ActivationConditions(preferring: ["BOZO"], allowing: ["bozo"])
        device.go(through: .scene(.activationConditionsSet(Self.clownTown, "crusty", conditions)))
        #expect(decision(on: "clowns/bozo")?.scene == "crusty")
        #expect(decision(on: "clowns/bozo")?.reason == .prefers)
        #expect(device.scene("crusty", of: Self.clownTown)?.activationConditions == conditions)
    }

    @Test mutating func conditionInBothFormsLeavesTheOldOnes() {
        let before = device.description
        let conditions = ActivationConditions(prefers: "SELF == 'bozo'", preferring: ["bozo"])
        let effects = device.go(through: .scene(.activationConditionsSet(Self.clownTown, "crusty", conditions)))
        #expect(effects.refusal?.reason == .unusableCondition)
        #expect(effects.refusal?.explanation.contains("scene crusty") == true)
        #expect(device.description == before)
    }

    @Test mutating func defaultConditionsPreferNothing() {
        device.go(through: .scene(.activationConditionsSet(Self.clownTown, "crusty", ActivationConditions())))
        #expect(decision(on: "crusty")?.scene == "overview")
        #expect(decision(on: "crusty")?.reason == .can)
    }

    @Test mutating func settingConditionsMovesNoScene() {
        device.go(through: .scene(.activationConditionsSet(Self.clownTown, "crusty", ActivationConditions())))
        let expected = SceneSession.example("crusty", .disconnected, at: 3)
        #expect(device.scene("crusty", of: Self.clownTown) == expected)
        #expect(device.foreground == ["overview", "left"])
        #expect(device.activations(of: Self.clownTown).isEmpty)
    }

    @Test mutating func newSceneCanSetConditions() {
        device.go(
            through: .scene(.sceneCreated(Self.clownTown, nil)),
            .scene(.activationConditionsSet(Self.clownTown, "new-scene-1", Self.onlyCrusty))
        )
        // Both scenes prefer Crusty, and the new scene is in the foreground.
        #expect(decision(on: "crusty")?.scene == "new-scene-1")
        #expect(decision(on: "bozo")?.scene == "overview")
    }

    @Test mutating func disconnectedSceneKeepsItsConditions() {
        device.go(
            through: .scene(.activationConditionsSet(Self.clownTown, "overview", Self.onlyCrusty)),
            .scene(.sceneDisconnected(Self.clownTown, "overview")),
            .scene(.sceneClosed(Self.clownTown, "crusty"))
        )
        #expect(device.scene("overview", of: Self.clownTown)?.activationConditions == Self.onlyCrusty)
        #expect(decision(on: "crusty")?.scene == "overview")
        #expect(decision(on: "bozo")?.outcome == .create)
    }

    @Test mutating func deviceFromTheDescriptionChoosesIdentically() throws {
        device.go(through: .scene(.activationConditionsSet(Self.clownTown, "overview", Self.onlyCrusty)))
        let again = try DeviceModel(device.description)
        for content in ["crusty", "bozo"] as [TargetContentIdentifier] {
            let expected = decision(on: content)
            #expect(again.sceneDecision(for: .notification(content), of: Self.clownTown) == expected)
        }
    }

    struct Case: CustomTestStringConvertible {
        var testDescription: String
        var conditions: ActivationConditions
        var place: String
    }

    @Test(
        arguments: [
            Case(
                testDescription: "can predicate that cannot be parsed",
                conditions: ActivationConditions(can: "SELF BEGINWITH 'a'"),
                place: "canActivateForTargetContentIdentifierPredicate, offset 5: "
            ),
            Case(
                testDescription: "forbidden prefers predicate",
                conditions: ActivationConditions(prefers: "length == 5"),
                place: "prefersToActivateForTargetContentIdentifierPredicate, offset 0: "
            ),
            Case(
                testDescription: "forbidden prefers predicate with a valid can predicate",
                conditions: ActivationConditions(can: "FALSEPREDICATE", prefers: "SELF == 'a' OR length == 5"),
                place: "prefersToActivateForTargetContentIdentifierPredicate, offset 15: "
            ),
        ]
    )
    mutating func refusedConditionsKeepTheFormerOnes(_ example: Case) {
        let before = decision(on: "crusty")
        let effects = device.go(through: .scene(.activationConditionsSet(Self.clownTown, "crusty", example.conditions)))
        #expect(effects.refusal?.reason == .unusableCondition)
        let explanation = effects.refusal?.explanation ?? ""
        #expect(explanation.hasPrefix("app com.example.clowntown, scene crusty: \(example.place)"))
        #expect(explanation.hasSuffix("; the scene keeps its conditions"))
        #expect(device.description == .example)
        #expect(decision(on: "crusty") == before)
        #expect(before?.scene == "crusty")
    }
}
