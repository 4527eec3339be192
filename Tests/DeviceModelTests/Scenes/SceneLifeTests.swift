import DeviceModel
import Testing
import WaypostSchema

/// Scenes that are created, brought to the front, backgrounded, disconnected and closed.
@Suite struct SceneLifeTests {
    private static let now = Timestamp(milliseconds: 100)
    private static let camera: BundleIdentifier = "com.example.camera"
    private static let clownTown: BundleIdentifier = "com.example.clowntown"
    private static let notes: BundleIdentifier = "com.example.notes"
    private var device: DeviceModel

    init() throws {
        device = try DeviceModel(.example)
    }

    @Test mutating func createdSceneHasTheDefaultsAndIsInTheForeground() {
        let effects = device.go(through: .scene(.sceneCreated(Self.clownTown, nil)), at: Self.now)
        let activation = SceneActivation(number: 1, scene: "new-scene-1", isNewScene: true)
        let opened = OpenedScene(
            device: "tablet",
            app: Self.clownTown,
            activation: activation,
            cause: .icon,
            initialState: .newScene
        )
        #expect(effects == [.scene(.sceneOpened(opened))])
        let expected = SceneSession(
            persistentIdentifier: "new-scene-1",
            state: .foregroundActive,
            lastActivated: Self.now
        )
        #expect(device.scene("new-scene-1", of: Self.clownTown) == expected)
        #expect(device.foreground == ["new-scene-1"])
    }

    @Test mutating func sceneThatIsBroughtForwardIsTheOnlyForegroundScene() {
        let effects = device.go(through: .scene(.sceneBroughtForward(Self.clownTown, "crusty", nil)), at: Self.now)
        let activation = SceneActivation(number: 1, scene: "crusty")
        let opened = OpenedScene(
            device: "tablet",
            app: Self.clownTown,
            activation: activation,
            cause: .icon,
            initialState: .disconnected
        )
        #expect(effects == [.scene(.sceneOpened(opened))])
        #expect(device.foreground == ["crusty"])
        #expect(device.scene("crusty", of: Self.clownTown)?.state == .foregroundActive)
        #expect(device.scene("crusty", of: Self.clownTown)?.lastActivated == Self.now)
    }

    @Test mutating func backgroundingASceneChangesOnlyItsState() {
        let effects = device.go(through: .scene(.sceneBackgrounded(Self.clownTown, "overview")))
        let departure = SceneDeparture(app: Self.clownTown, scene: "overview", state: .background)
        #expect(effects == [.scene(.sceneLeft(departure))])
        #expect(
            device.scene("overview", of: Self.clownTown) == SceneSession.example("overview", .background, at: 2)
        )
        #expect(device.foreground == ["left"])
    }

    @Test mutating func disconnectedSceneKeepsItsConditionsAndRestorationActivity() {
        let activity = UserActivity(activityType: "note", userInfo: .object(["page": .integer(2)]))
        let effects = device.go(
            through: .scene(.restorationActivitySet(Self.notes, "right", activity)),
            .scene(.sceneDisconnected(Self.notes, "right"))
        )
        let departure = SceneDeparture(app: Self.notes, scene: "right", state: .disconnected)
        #expect(effects == [.scene(.sceneLeft(departure))])
        var expected = SceneSession.example(
            "right",
            .disconnected,
            at: 1,
            can: "SELF BEGINSWITH 'note/'",
            prefers: "SELF == 'note/2'"
        )
        expected.stateRestorationActivity = activity
        #expect(device.scene("right", of: Self.notes) == expected)
    }

    @Test mutating func disconnectedSceneIsStillChosenByItsConditions() {
        device.go(through: .scene(.sceneDisconnected(Self.notes, "right")))
        let effects = device.deliverAndOpen(.example(for: "com.example.notes", about: "note/2"), at: Self.now)
        #expect(effects.opened?.scene == "right")
        #expect(device.foreground == ["right"])
    }

    @Test mutating func restorationActivityCanBeRemoved() {
        device.go(through: .scene(.restorationActivitySet(Self.notes, "right", UserActivity(activityType: "note"))))
        #expect(device.scene("right", of: Self.notes)?.stateRestorationActivity?.activityType == "note")
        device.go(through: .scene(.restorationActivitySet(Self.notes, "right", nil)))
        #expect(device.description == .example)
    }

    /// A disconnected scene must not return to memory this way.
    @Test(
        arguments: [
            ("com.example.clowntown", "crusty"), ("com.example.notes", "right"),
        ] as [(BundleIdentifier, SceneIdentifier)]
    )
    mutating func onlyAForegroundSceneCanGoToTheBackground(_ app: BundleIdentifier, _ scene: SceneIdentifier) {
        let effects = device.go(through: .scene(.sceneBackgrounded(app, scene)))
        #expect(effects.refusal?.reason == .notInForeground)
        #expect(device.description == .example)
    }

    @Test mutating func closedSceneIsNoLongerACandidate() {
        let effects = device.go(through: .scene(.sceneClosed(Self.clownTown, "crusty")))
        let departure = SceneDeparture(app: Self.clownTown, scene: "crusty", state: .closed)
        #expect(effects == [.scene(.sceneLeft(departure))])
        #expect(device.scene("crusty", of: Self.clownTown) == nil)
        let opened = device.deliverAndOpen(.example(about: "crusty"), at: Self.now).opened
        #expect(opened?.scene == "overview")
        #expect(opened?.decision?.reason == .can)
        #expect(opened?.decision?.trace.map(\.scene) == ["overview"])
    }

    @Test mutating func appWithoutScenesGetsANewScene() {
        device.go(
            through: .scene(.sceneClosed(Self.clownTown, "crusty")),
            .scene(.sceneClosed(Self.clownTown, "overview"))
        )
        let opened = device.deliverAndOpen(.example(about: "crusty"), at: Self.now).opened
        #expect(opened?.scene == "new-scene-1")
        #expect(opened?.decision?.outcome == .create)
    }

    @Test mutating func singleSceneAppGetsANewSceneOnlyInPlaceOfTheFirst() {
        let effects = device.go(through: .scene(.sceneCreated(Self.camera, nil)))
        #expect(effects.refusal?.reason == .oneSceneOnly)
        #expect(effects.refusal?.explanation.contains("com.example.camera") == true)
        #expect(device.description == .example)
        let again = device.go(
            through: .scene(.sceneClosed(Self.camera, "only")),
            .scene(.sceneCreated(Self.camera, nil))
        )
        #expect(again.openedScene?.activation.scene == "new-scene-1")
        #expect(device.app(Self.camera)?.scenes.map(\.persistentIdentifier) == ["new-scene-1"])
    }

    private static func events(of app: BundleIdentifier, _ scene: SceneIdentifier) -> [DeviceEvent] {
        [
            .scene(.sceneBroughtForward(app, scene, nil)), .scene(.sceneBackgrounded(app, scene)),
            .scene(.sceneDisconnected(app, scene)),
            .scene(.sceneClosed(app, scene)), .scene(.activationConditionsSet(app, scene, ActivationConditions())),
            .scene(.restorationActivitySet(app, scene, UserActivity(activityType: "note"))),
        ]
    }

    private static let absent: [DeviceEvent] = [
        .scene(.sceneCreated("com.example.absent", nil)), .scene(.appOpened("com.example.absent")),
    ]

    @Test(arguments: events(of: "com.example.absent", "overview") + absent)
    mutating func eventOfAnUnknownAppChangesNothing(_ event: DeviceEvent) {
        let effects = device.go(through: event)
        #expect(effects.refusal?.reason == .unknownApp)
        #expect(effects.refusal?.explanation == "the app com.example.absent is not on the device")
        #expect(device.description == .example)
    }

    @Test(arguments: events(of: "com.example.clowntown", "left"))
    mutating func eventOfAnUnknownSceneChangesNothing(_ event: DeviceEvent) {
        let effects = device.go(through: event)
        #expect(effects.refusal?.reason == .unknownScene)
        #expect(effects.refusal?.explanation == "the app com.example.clowntown has no scene left")
        #expect(device.description == .example)
    }
}
