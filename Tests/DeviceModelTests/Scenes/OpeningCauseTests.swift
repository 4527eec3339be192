import DeviceModel
import Testing
import WaypostSchema

/// A scene that opens has the cause, and the state of the app and the scene before it.
@Suite struct OpeningCauseTests {
    private static let app: BundleIdentifier = "com.example.clowntown"
    private static let item = ShortcutItem(type: "call", localizedTitle: "Call a Clown")

    /// Returns a device with one app whose scenes have some states, the target of every event first.
    private static func device(_ states: [SceneState]) throws -> DeviceModel {
        let scenes = states.enumerated().map { number, state in
            SceneSession(
                persistentIdentifier: SceneIdentifier(rawValue: "scene-\(number)"),
                state: state,
                lastActivated: Timestamp(milliseconds: 10 - number),
                activationConditions: number == 0
                    ? ActivationConditions(prefers: "SELF == 'x'") : ActivationConditions()
            )
        }
        let app = AppDescription(bundleIdentifier: app, scenes: scenes, shortcutItems: [item])
        return try DeviceModel(DeviceDescription(name: "tablet", apps: [app]))
    }

    private static func activity(_ type: String) -> DeviceEvent {
        .scene(.userActivityContinued(app, UserActivity(activityType: type, targetContentIdentifier: "x"), from: nil))
    }

    @Test(
        arguments: [
            ([.disconnected], .notRunning), ([.disconnected, .background], .disconnected),
            ([.background], .background), ([.background, .foregroundActive], .behindOtherScene),
            ([.foregroundInactive], .foregroundInactive), ([.foregroundActive], .foregroundActive),
            ([.foregroundInactive, .foregroundActive], .besideOtherScene),
        ] as [([SceneState], InitialState)]
    )
    func stateBeforeIsThatOfTheAppAndTheScene(_ states: [SceneState], _ expected: InitialState) throws {
        var device = try Self.device(states)
        let opened = device.go(through: Self.activity("com.example.order")).openedScene
        #expect(opened?.scene == "scene-0")
        #expect(opened?.initialState == expected)
    }

    @Test(
        arguments: [
            ([], .notRunningNewScene), ([.disconnected], .notRunningNewScene),
            ([.background], .newSceneInBackground), ([.foregroundActive], .newScene),
        ] as [([SceneState], InitialState)]
    )
    func stateBeforeANewSceneIsThatOfTheApp(_ states: [SceneState], _ expected: InitialState) throws {
        var device = try Self.device(states)
        #expect(device.go(through: .scene(.sceneCreated(Self.app, nil))).openedScene?.initialState == expected)
    }

    @Test func appThatIsForcedToQuitDoesNotRun() throws {
        var device = try Self.device([.foregroundActive])
        let opened = device.go(through: .system(.appForceQuit(Self.app)), .scene(.appOpened(Self.app))).openedScene
        #expect(opened?.initialState == .notRunning)
    }

    @Test(
        arguments: [
            (.scene(.appOpened(app)), .icon), (.scene(.shortcutItemPerformed(app, type: "call")), .quickAction),
            (activity("NSUserActivityTypeBrowsingWeb"), .universalLink),
            (activity("com.apple.corespotlightitem"), .spotlight),
            (activity("NSUserActivityTypeLiveActivity"), .widgetActivity), (activity("com.example.order"), .handoff),
            (.scene(.sceneBroughtForward(app, "scene-0", nil)), .icon),
        ] as [(DeviceEvent, EventCause)]
    )
    func eventIsTheCause(_ event: DeviceEvent, _ expected: EventCause) throws {
        var device = try Self.device([.background])
        #expect(device.go(through: event).openedScene?.cause == expected)
    }
}
