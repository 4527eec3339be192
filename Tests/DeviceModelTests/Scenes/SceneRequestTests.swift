import DeviceModel
import Testing
import WaypostSchema

/// An app requests a scene for an activity.
@Suite struct SceneRequestTests {
    private static let clownTown: BundleIdentifier = "com.example.clowntown"
    private static let camera: BundleIdentifier = "com.example.camera"

    private var device: DeviceModel

    init() throws {
        device = try DeviceModel(.example)
    }

    private static func activity(
        about content: TargetContentIdentifier? = nil,
        on page: String? = nil
    ) -> UserActivity {
        UserActivity(activityType: "clown", targetContentIdentifier: content, webpageURL: page)
    }

    /// A request, the scene that opens for it, and the reason.
    struct Case: Sendable {
        let app: BundleIdentifier
        let activity: UserActivity
        let scene: SceneIdentifier
        let reason: SceneDecision.Reason
        var isNewScene = false
    }

    static let cases = [
        Case(app: clownTown, activity: activity(about: "crusty"), scene: "crusty", reason: .prefers),
        Case(app: clownTown, activity: activity(on: "crusty"), scene: "crusty", reason: .prefers),
        Case(app: clownTown, activity: activity(about: "bozo"), scene: "overview", reason: .can),
        Case(
            app: "com.example.notes",
            activity: activity(about: "photo/1"),
            scene: "new-scene-1",
            reason: .noneCan,
            isNewScene: true
        ),
        Case(app: clownTown, activity: activity(), scene: "new-scene-1", reason: .noIdentifier, isNewScene: true),
        Case(
            app: clownTown,
            activity: activity(about: ""),
            scene: "new-scene-1",
            reason: .noIdentifier,
            isNewScene: true
        ),
        Case(app: camera, activity: activity(about: "photo/1"), scene: "only", reason: .singleScene),
        Case(app: camera, activity: activity(), scene: "only", reason: .singleScene),
    ]

    @Test(arguments: cases) mutating func sceneThatAcceptsTheActivityOpens(_ example: Case) throws {
        let request = DeviceEvent.scene(.sceneRequested(example.app, example.activity))
        let opened = try #require(device.go(through: request).openedScene)
        #expect(opened.scene == example.scene)
        #expect(opened.decision?.reason == example.reason)
        #expect(opened.decision?.outcome == (example.isNewScene ? .create : .activate))
        #expect(opened.activation.isNewScene == example.isNewScene)
        #expect(opened.activation.userActivity == example.activity)
        #expect(opened.cause == .sceneRequest)
        #expect(device.foreground == [example.scene])
        #expect(device.activations(of: example.app) == [opened.activation])
    }

    @Test mutating func appThatIsAbsentRequestsNothing() {
        let effects = device.go(through: .scene(.sceneRequested("com.example.absent", Self.activity())))
        #expect(effects.refusal?.reason == .unknownApp)
    }

    /// The user's own request makes a new scene, even if another one prefers the activity.
    @Test(arguments: [(activity(about: "crusty"), .sceneRequest), (nil, .icon)] as [(UserActivity?, EventCause)])
    mutating func newSceneOfTheUserIsNew(_ activity: UserActivity?, cause: EventCause) {
        let opened = device.go(through: .scene(.sceneCreated(Self.clownTown, activity))).openedScene
        #expect(opened?.scene == "new-scene-1")
        #expect(opened?.decision == nil)
        #expect(opened?.cause == cause)
    }

    @Test(arguments: [(activity(), .sceneRequest), (nil, .icon)] as [(UserActivity?, EventCause)])
    mutating func sceneThatIsNamedComesToTheFront(_ activity: UserActivity?, cause: EventCause) {
        let opened = device.go(through: .scene(.sceneBroughtForward(Self.clownTown, "crusty", activity))).openedScene
        #expect(opened?.scene == "crusty")
        #expect(opened?.cause == cause)
        #expect(opened?.initialState == .disconnected)
    }
}
