import DeviceModel
import Testing
import WaypostSchema
import WaypostTestSupport

/// An app with several user interfaces at the same time.
@Suite struct SeveralScenesTests {
    private static let clownTown: BundleIdentifier = "com.example.clowntown"
    private static let clowns: [TargetContentIdentifier] = ["crusty", "bozo", "bubbles"]

    /// Returns a device whose only app has one scene.
    private static func device(supportsMultipleScenes: Bool = true) throws -> DeviceModel {
        let app = AppDescription(
            bundleIdentifier: clownTown,
            supportsMultipleScenes: supportsMultipleScenes,
            scenes: [.example("overview", .foregroundActive, can: "FALSEPREDICATE")]
        )
        return try DeviceModel(DeviceDescription(name: "tablet", apps: [app]))
    }

    private static func activity(about clown: TargetContentIdentifier) -> UserActivity {
        UserActivity(activityType: "clown", targetContentIdentifier: clown)
    }

    @Test(.proves("T3")) func processHasAllScenesOfItsAppAtTheSameTime() throws {
        var device = try Self.device()
        var process = AppProcess(of: Self.clownTown)
        var events = process.newEvents(on: device)
        for clown in Self.clowns {
            device.go(through: .scene(.sceneCreated(Self.clownTown, Self.activity(about: clown))))
            events += process.newEvents(on: device)
        }
        let connected = events.compactMap { event -> SceneIdentifier? in
            if case .sceneConnected(let scene) = event { scene.session.persistentIdentifier } else { nil }
        }
        #expect(connected == ["overview", "new-scene-1", "new-scene-2", "new-scene-3"])
        let changes = events.compactMap { if case .sceneChanged(let change) = $0 { change.state } else { nil } }
        #expect(Set(changes).isDisjoint(with: [.disconnected, .discarded]), "no scene ends because another one begins")
        let states = device.description.apps.first?.scenes.map(\.state)
        #expect(states == [.background, .background, .background, .foregroundActive])
    }

    @Test(.proves("T3")) func everySceneKeepsItsOwnContent() throws {
        var device = try Self.device()
        for (index, clown) in Self.clowns.enumerated() {
            let scene = SceneIdentifier(rawValue: "new-scene-\(index + 1)")
            device.go(
                through: .scene(.sceneCreated(Self.clownTown, Self.activity(about: clown))),
                .scene(.restorationActivitySet(Self.clownTown, scene, Self.activity(about: clown))),
                .scene(.activationConditionsSet(Self.clownTown, scene, ActivationConditions(can: "SELF == '\(clown)'")))
            )
        }
        for (index, clown) in Self.clowns.enumerated() {
            let scene = SceneIdentifier(rawValue: "new-scene-\(index + 1)")
            let id = NotificationID(rawValue: clown.rawValue)
            let opened = device.deliverAndOpen(.example(id, about: clown.rawValue), at: .hour).opened
            #expect(opened?.scene == scene)
            #expect(device.scene(scene, of: Self.clownTown)?.stateRestorationActivity == Self.activity(about: clown))
        }
        #expect(device.description.apps.first?.scenes.count == 4)
    }

    @Test(.proves("T3")) func appThatSupportsOneSceneGetsNoOther() throws {
        var device = try Self.device(supportsMultipleScenes: false)
        let created = device.go(through: .scene(.sceneCreated(Self.clownTown, nil)))
        #expect(created.refusal?.reason == .oneSceneOnly)
        #expect(device.deliverAndOpen(.example(about: "crusty"), at: .hour).opened?.scene == "overview")
        #expect(device.description.apps.first?.scenes.count == 1)
    }
}
