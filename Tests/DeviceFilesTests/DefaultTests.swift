import DeviceFiles
import SchemaFiles
import Testing
import WaypostSchema

/// The defaults for everything that a file omits.
@Suite struct DefaultTests {
    @Test func appSupportsSeveralScenes() throws {
        #expect(try DeviceText.device(DeviceDescription.yaml(app: "")).apps.first?.supportsMultipleScenes == true)
    }

    @Test func sceneIsInTheBackgroundAndWasNeverActivated() throws {
        let scene = try DeviceText.scene("")
        #expect(scene == SceneSession(persistentIdentifier: "s"))
        #expect(scene?.title == nil)
        #expect(scene?.state == .background)
        #expect(scene?.lastActivated == nil)
    }

    @Test(arguments: [
        ("", "TRUEPREDICATE", "FALSEPREDICATE"),
        ("activationConditions: {}", "TRUEPREDICATE", "FALSEPREDICATE"),
        ("activationConditions: {canActivateForTargetContentIdentifierPredicate: x}", "x", "FALSEPREDICATE"),
        ("activationConditions: {prefersToActivateForTargetContentIdentifierPredicate: x}", "TRUEPREDICATE", "x"),
    ])
    func sceneCanDisplayAnythingAndPrefersNothing(_ lines: String, _ can: String, _ prefers: String) throws {
        let conditions = try DeviceText.scene(lines)?.activationConditions
        #expect(conditions == ActivationConditions(can: can, prefers: prefers))
    }

    @Test func deviceMayHaveNoApps() throws {
        #expect(try DeviceText.device("name: empty\napps: []") == DeviceDescription(name: "empty", apps: []))
    }
}
