import DeviceModel
import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport

/// Conditions that contain a block, which is code of a running app.
@Suite struct BlockConditionTests {
    private static let clownTown: BundleIdentifier = "com.example.clowntown"
    private static let reason = "represents code: a block cannot leave its app"

    /// Formats with a block, as the platform prints one.
    private static let formats = [
        "BLOCKPREDICATE(0x10f3c2d10)", "blockpredicate(0x10f3c2d10)", "NOT BLOCKPREDICATE(0x10f3c2d10)",
        "SELF == 'crusty' OR BLOCKPREDICATE(0x10f3c2d10)",
        "SELF == 'crusty' AND (TRUEPREDICATE OR BLOCKPREDICATE(0x10f3c2d10))",
    ]

    /// Returns each condition of a scene with the format, and a valid other one.
    private static func conditions(_ format: String) -> [ActivationConditions] {
        [ActivationConditions(can: format), ActivationConditions(can: "SELF == 'crusty'", prefers: format)]
    }

    @Test(.proves("T49", "T50"), arguments: formats)
    func sceneCannotSetABlockAndLearnsWhy(_ format: String) throws {
        for conditions in Self.conditions(format) {
            var device = try DeviceModel(.example)
            let refusal = device.go(through: .scene(.activationConditionsSet(Self.clownTown, "crusty", conditions)))
                .refusal
            #expect(refusal?.reason == .unusableCondition)
            #expect(refusal?.explanation.contains(Self.reason) == true)
            #expect(device.description == .example)
        }
    }

    @Test(.proves("T49", "T50"), arguments: formats)
    func descriptionOfADeviceCannotContainABlock(_ format: String) throws {
        for conditions in Self.conditions(format) {
            var description = DeviceDescription.example
            description.apps[1].scenes[1].activationConditions = conditions
            let error = #expect(throws: DescriptionError.self) { try DeviceModel(description) }
            #expect(error.map { "\($0)".contains(Self.reason) } == true)
        }
    }

    /// Conditions that are accepted are complete as text, so a device that never ran the app evaluates them.
    @Test(.proves("T50")) func acceptedConditionsDecideOnADeviceThatGetsThemAsText() throws {
        var device = try DeviceModel(.example)
        let conditions = ActivationConditions(can: "SELF LIKE 'crusty*'", prefers: "SELF IN {'crusty', 'crusty/1'}")
        device.go(through: .scene(.activationConditionsSet(Self.clownTown, "crusty", conditions)))
        let text = try JSONEncoder().encode(device.description)
        let other = try DeviceModel(JSONDecoder().decode(DeviceDescription.self, from: text))
        for content in ["crusty", "crusty/1", "crusty/2", "bozo"] as [TargetContentIdentifier] {
            let decision = device.sceneDecision(for: .notification(content), of: Self.clownTown)
            #expect(decision != nil)
            #expect(other.sceneDecision(for: .notification(content), of: Self.clownTown) == decision)
        }
    }
}
