import DeviceModel
import Testing
import WaypostSchema
import WaypostTestSupport

/// A tap has its effect before any process of the app runs.
@Suite struct ImmediateChoiceTests {
    private static let now = Timestamp(milliseconds: 100)
    private static let clownTown: BundleIdentifier = "com.example.clowntown"
    private static let isCrusty = "SELF ENDSWITH 'crusty'"

    /// Something that the user taps, and the events that bring it to the device.
    struct Tap: CustomTestStringConvertible {
        var testDescription: String
        var before: [DeviceEvent] = []
        var event: DeviceEvent
    }

    private static let taps = [
        Tap(
            testDescription: "notification",
            before: [.notification(.notificationDelivered(.example("n1", about: "crusty")))],
            event: .notification(.notificationOpened("n1"))
        ),
        Tap(testDescription: "quick action", event: .scene(.shortcutItemPerformed(clownTown, type: "feed"))),
        Tap(
            testDescription: "universal link",
            before: [
                .system(.associationChecked(domain: ClownTown.domain, source: "test", .success(ClownTown.file())))
            ],
            event: .scene(.urlOpened(ClownTown.url, from: nil))
        ),
        Tap(
            testDescription: "activity of another device",
            event: .scene(
                .userActivityContinued(
                    clownTown,
                    UserActivity(activityType: "clown", targetContentIdentifier: "crusty"),
                    from: "phone"
                )
            )
        ),
    ]

    /// A device without any process, whose app has only disconnected scenes.
    private var device: DeviceModel

    init() throws {
        let app = AppDescription(
            bundleIdentifier: Self.clownTown,
            applicationIdentifier: ClownTown.app,
            associatedDomains: ["applinks:\(ClownTown.domain)"],
            scenes: [
                .example("overview", .disconnected, at: 2),
                .example("crusty", .disconnected, at: 1, can: Self.isCrusty, prefers: Self.isCrusty),
            ],
            shortcutItems: [
                ShortcutItem(type: "feed", localizedTitle: "Feed", targetContentIdentifier: "crusty")
            ]
        )
        device = try DeviceModel(apps: [app])
    }

    @Test(.proves("T8"), arguments: taps)
    mutating func tapBringsTheChosenSceneToTheFrontAtOnce(_ tap: Tap) {
        device.go(through: tap.before, at: Self.now)
        let reaction = device.apply(tap.event, at: Self.now)
        #expect(reaction.effects.count == 1)
        #expect(reaction.effects.first?.shownScene == "crusty")
        #expect(reaction.nextDeadline == nil, "nothing happens later")
        #expect(device.foreground == ["crusty"])
        #expect(device.scene("crusty", of: Self.clownTown)?.lastActivated == Self.now)
    }

    @Test(.proves("T8"), arguments: taps)
    mutating func launchOfTheAppChangesNothingAboutTheChoice(_ tap: Tap) {
        device.go(through: tap.before + [tap.event], at: Self.now)
        let before = device.description
        let activations = device.activations(of: Self.clownTown)
        #expect(activations.map(\.scene) == ["crusty"])
        var process = AppProcess(of: Self.clownTown)
        let events = process.newEvents(on: device)
        let connected = events.compactMap { if case .sceneConnected(let scene) = $0 { scene } else { nil } }
        let activated = events.compactMap { if case .sceneActivated(let activation) = $0 { activation } else { nil } }
        #expect(connected.map(\.session.persistentIdentifier) == ["crusty"])
        let received = connected.flatMap(\.connectionOptions) + activated
        #expect(Set(received.map(\.number)) == Set(activations.map(\.number)))
        device.go(through: activations.map { .scene(.activationTaken(Self.clownTown, number: $0.number)) }, at: .hour)
        #expect(device.description == before)
    }
}

extension DeviceEffect {
    /// The scene that came to the front, or `nil` if the effect shows none.
    fileprivate var shownScene: SceneIdentifier? {
        switch self {
        case .scene(.sceneActivated(let opened)): opened.scene
        case .scene(.sceneOpened(let opened)): opened.activation.scene
        case .scene(.urlOpened(let opened)): opened.opened?.activation.scene
        default: nil
        }
    }
}
