import DeviceModel
import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport

/// The talk: when a predicate is set, "the system's going to package these predicates up and ship them off".
///
/// An argument is packaged when the condition is set: the value changes later, the condition does not.
@Suite struct PackagedConditionTests {
    private static let app: BundleIdentifier = "com.example.clowntown"
    private static let conditions = ActivationConditions(
        prefers: "SELF == %@",
        prefersArguments: [.object(["value": .string("selected")])]
    )

    private var device: DeviceModel

    init() throws {
        let detail = SceneSession(persistentIdentifier: "detail", activationConditions: Self.conditions)
        let app = AppDescription(
            bundleIdentifier: Self.app,
            scenes: [SceneSession(persistentIdentifier: "overview", state: .foregroundActive), detail],
            values: ["selected": .string("crusty")]
        )
        device = try DeviceModel(DeviceDescription(name: "tablet", apps: [app]))
    }

    private var condition: String? {
        device.scene("detail", of: Self.app)?.activationConditions.prefersToActivateForTargetContentIdentifierPredicate
    }

    private func reason(for content: TargetContentIdentifier) -> SceneDecision.Reason? {
        device.sceneDecision(for: .notification(content), of: Self.app)?.reason
    }

    @Test(.proves("T47", "T66")) mutating func conditionKeepsTheValueThatItWasSetWith() {
        #expect(condition == #"SELF == "crusty""#)
        let change = DeviceEvent.scene(.appValueSet(Self.app, name: "selected", value: .string("giggles")))
        let effects = device.go(through: change)
        #expect(effects.isEmpty)
        #expect(device.app(Self.app)?.values == ["selected": .string("giggles")])
        #expect(condition == #"SELF == "crusty""#)
        #expect(reason(for: "crusty") == .prefers)
        #expect(reason(for: "giggles") == .can)
    }

    @Test(.proves("T47", "T66")) mutating func conditionThatIsSetAgainHasTheNewValue() {
        device.go(
            through: .scene(.appValueSet(Self.app, name: "selected", value: .string("giggles"))),
            .scene(.activationConditionsSet(Self.app, "detail", Self.conditions))
        )
        #expect(condition == #"SELF == "giggles""#)
        #expect(reason(for: "crusty") == .can)
        #expect(reason(for: "giggles") == .prefers)
    }

    @Test mutating func conditionThatNamesNoValueIsRefused() {
        let conditions = ActivationConditions(
            prefers: "SELF == %@",
            prefersArguments: [.object(["value": .string("absent")])]
        )
        let refusal = device.go(through: .scene(.activationConditionsSet(Self.app, "detail", conditions))).refusal
        #expect(refusal?.reason == .unusableCondition)
        #expect(refusal?.explanation.contains("argument 1 names the value 'absent'") == true)
        #expect(condition == #"SELF == "crusty""#)
    }

    @Test mutating func valueOfAnAppThatIsAbsentIsRefused() {
        let effects = device.go(through: .scene(.appValueSet("com.example.absent", name: "a", value: .null)))
        #expect(effects.refusal?.reason == .unknownApp)
    }

    @Test func deviceOfTheDescriptionHasTheSameConditions() throws {
        let text = try JSONEncoder().encode(device.description)
        let other = try DeviceModel(JSONDecoder().decode(DeviceDescription.self, from: text))
        #expect(other.description == device.description)
    }
}
