import DeviceModel
import Testing
import WaypostSchema

/// A Focus with a filter of an app changes which of its scenes opens.
@Suite struct FocusPrefixTests {
    private static let app: BundleIdentifier = "com.example.tv"

    @Test func focusOpensTheSceneOfItsFilter() throws {
        let scenes = [
            SceneSession(persistentIdentifier: "other", state: .foregroundActive),
            SceneSession(
                persistentIdentifier: "work",
                activationConditions: ActivationConditions(prefers: "SELF == 'focus://work/shows/7'")
            ),
        ]
        let app = AppDescription(bundleIdentifier: Self.app, scenes: scenes)
        var device = try DeviceModel(DeviceDescription(name: "iPad", apps: [app]))
        let query = SceneQuery.notification("shows/7")
        #expect(device.sceneDecision(for: query, of: Self.app)?.scene == "other")
        let prefixes = [Self.app.rawValue: "//work/"]
        device.go(through: .setting(.focusSet(Focus(name: "Work", targetContentIdentifierPrefixes: prefixes))))
        #expect(device.sceneDecision(for: query, of: Self.app)?.scene == "work")
        device.go(through: .setting(.focusSet(nil)))
        #expect(device.sceneDecision(for: query, of: Self.app)?.scene == "other")
    }
}
