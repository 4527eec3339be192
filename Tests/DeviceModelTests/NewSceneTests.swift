import DeviceModel
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite struct NewSceneTests {
    private static let now = Timestamp(milliseconds: 100)
    private static let notes: BundleIdentifier = "com.example.notes"

    private static func opening(_ id: NotificationID = "n1", about content: String = "photo/1") -> DeliveredNotification
    {
        .example(id, for: "com.example.notes", about: content)
    }

    private static func device(with scenes: [SceneSession], supportsMultipleScenes: Bool = true) throws -> DeviceModel {
        let app = AppDescription(
            bundleIdentifier: notes,
            supportsMultipleScenes: supportsMultipleScenes,
            scenes: scenes
        )
        return try DeviceModel(DeviceDescription(name: "tablet", apps: [app]))
    }

    @Test(.proves("T20")) func sceneIsCreatedIfNoneCanDisplayTheContent() throws {
        var device = try DeviceModel(.example)
        let opened = try #require(device.deliverAndOpen(Self.opening(), at: Self.now).opened)
        #expect(opened.scene == "new-scene-1")
        #expect(opened.decision?.outcome == .create)
        #expect(opened.decision?.scene == nil)
        #expect(device.foreground == ["new-scene-1"])
    }

    @Test(.proves("T40", "T41")) func newSceneHasTheDefaultsAndIsInTheForeground() throws {
        var device = try DeviceModel(.example)
        _ = device.deliverAndOpen(Self.opening(), at: Self.now)
        let expected = SceneSession(
            persistentIdentifier: "new-scene-1",
            state: .foregroundActive,
            lastActivated: Self.now,
            activationConditions: ActivationConditions()
        )
        #expect(device.scene("new-scene-1", of: Self.notes) == expected)
    }

    @Test(
        arguments: [
            ([], "new-scene-1"),
            (["new-scene-1"], "new-scene-2"),
            (["new-scene-2"], "new-scene-1"),
            (["new-scene-1", "new-scene-2", "new-scene-4"], "new-scene-3"),
        ] as [([SceneIdentifier], SceneIdentifier)]
    )
    func newSceneHasTheFirstFreeName(_ taken: [SceneIdentifier], _ name: SceneIdentifier) throws {
        var device = try Self.device(with: taken.map { .example($0, can: "FALSEPREDICATE") })
        #expect(device.deliverAndOpen(Self.opening(), at: Self.now).opened?.scene == name)
        #expect(device.description.apps.first?.scenes.map(\.persistentIdentifier) == taken + [name])
    }

    @Test func newSceneDisplaysTheNextContentThatNoOtherSceneCan() throws {
        var device = try DeviceModel(.example)
        _ = device.deliverAndOpen(Self.opening("n1"), at: Self.now)
        let again = device.deliverAndOpen(Self.opening("n2", about: "photo/2"), at: Timestamp(milliseconds: 200))
        #expect(again.opened?.scene == "new-scene-1")
        #expect(again.opened?.decision?.reason == .can)
    }

    @Test(arguments: [true, false])
    func appWithoutScenesGetsAScene(_ supportsMultipleScenes: Bool) throws {
        var device = try Self.device(with: [], supportsMultipleScenes: supportsMultipleScenes)
        _ = device.deliverAndOpen(Self.opening("n1"), at: Self.now)
        let again = device.deliverAndOpen(Self.opening("n2"), at: Self.now)
        #expect(again.opened?.scene == "new-scene-1")
        #expect(device.description.apps.first?.scenes.count == 1)
    }

    @Test func singleSceneAppGetsNoSecondScene() throws {
        var device = try Self.device(with: [.example("only", can: "FALSEPREDICATE")], supportsMultipleScenes: false)
        #expect(device.deliverAndOpen(Self.opening(), at: Self.now).opened?.scene == "only")
        #expect(device.description.apps.first?.scenes.count == 1)
    }
}
