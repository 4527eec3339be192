import DeviceModel
import Testing
import WaypostSchema

/// Activations: what brought a scene to the front is kept for a process of its app.
@Suite struct ActivationTests {
    private static let clownTown: BundleIdentifier = "com.example.clowntown"
    private static let item = ShortcutItem(
        type: "feed",
        localizedTitle: "Feed Crusty",
        targetContentIdentifier: "crusty",
        userInfo: .object(["pies": .integer(3)])
    )
    private static let activity = UserActivity(
        activityType: "clown",
        title: "Crusty",
        targetContentIdentifier: "crusty",
        userInfo: .object(["act": .string("pies")])
    )

    /// Clown Town with its associated domain.
    private static let linked = AppDescription(
        bundleIdentifier: clownTown,
        applicationIdentifier: ClownTown.app,
        associatedDomains: ["applinks:\(ClownTown.domain)"],
        scenes: [.example("overview", .foregroundActive, at: 2)],
        urlSchemes: ["clowntown"]
    )

    private var device: DeviceModel

    init() throws {
        device = try DeviceModel(.example)
    }

    struct Case: CustomTestStringConvertible {
        var testDescription: String
        var events: [DeviceEvent]
        var app: BundleIdentifier = "com.example.clowntown"
        var activation: SceneActivation
    }

    private static let cases: [Case] = [
        Case(
            testDescription: "notification",
            events: [
                .notification(.notificationDelivered(.example("n1", about: "crusty"))),
                .notification(.notificationOpened("n1")),
            ],
            activation: SceneActivation(
                number: 2,
                scene: "crusty",
                notification: NotificationResponse(
                    id: "n1",
                    payload: .object(["aps": .object(["target-content-id": .string("crusty")])])
                )
            )
        ),
        Case(
            testDescription: "notification that no scene can display",
            events: [
                .notification(.notificationDelivered(.example("n1", for: "com.example.notes", about: "photo/1"))),
                .notification(.notificationOpened("n1")),
            ],
            app: "com.example.notes",
            activation: SceneActivation(
                number: 2,
                scene: "new-scene-1",
                isNewScene: true,
                notification: NotificationResponse(
                    id: "n1",
                    payload: .object(["aps": .object(["target-content-id": .string("photo/1")])])
                )
            )
        ),
        Case(
            testDescription: "shortcut item",
            events: [
                .scene(.shortcutItemsSet(clownTown, [item])), .scene(.shortcutItemPerformed(clownTown, type: "feed")),
            ],
            activation: SceneActivation(number: 2, scene: "crusty", shortcutItem: item)
        ),
        Case(
            testDescription: "URL",
            events: [
                .system(.appInstalled(linked)),
                .system(.associationChecked(domain: ClownTown.domain, source: "test", .success(ClownTown.file()))),
                .scene(.urlOpened(ClownTown.url, from: nil)),
            ],
            activation: SceneActivation(
                number: 3,
                scene: "overview",
                userActivity: UserActivity(activityType: "NSUserActivityTypeBrowsingWeb", webpageURL: ClownTown.url)
            )
        ),
        Case(
            testDescription: "custom URL",
            events: [
                .system(.appInstalled(linked)), .scene(.urlOpened("clowntown://clowns/crusty", from: nil)),
            ],
            activation: SceneActivation(number: 2, scene: "overview", url: "clowntown://clowns/crusty")
        ),
        Case(
            testDescription: "activity",
            events: [.scene(.userActivityContinued(clownTown, activity, from: "phone"))],
            activation: SceneActivation(number: 1, scene: "crusty", userActivity: activity)
        ),
        Case(
            testDescription: "app",
            events: [.scene(.appOpened(clownTown))],
            activation: SceneActivation(number: 1, scene: "overview")
        ),
        Case(
            testDescription: "new scene",
            events: [.system(.timePassed), .scene(.sceneCreated(clownTown, activity))],
            activation: SceneActivation(number: 2, scene: "new-scene-1", isNewScene: true, userActivity: activity)
        ),
        Case(
            testDescription: "existing scene",
            events: [.scene(.sceneBroughtForward(clownTown, "crusty", activity))],
            activation: SceneActivation(number: 1, scene: "crusty", userActivity: activity)
        ),
    ]

    @Test(arguments: cases)
    mutating func activationIsOnlyForTheAppOfItsScene(_ example: Case) {
        device.go(through: example.events)
        #expect(device.activations(of: example.app) == [example.activation])
        #expect(device.foreground == [example.activation.scene])
        for app in device.description.apps where app.bundleIdentifier != example.app {
            #expect(device.activations(of: app.bundleIdentifier).isEmpty)
        }
    }

    @Test(arguments: cases)
    mutating func activationCanBeTakenOnce(_ example: Case) {
        device.go(through: example.events)
        let taking = DeviceEvent.scene(.activationTaken(example.app, number: example.activation.number))
        let effects = device.go(through: taking)
        #expect(effects.isEmpty)
        #expect(device.activations(of: example.app).isEmpty)
        let again = device.go(through: taking)
        #expect(again.refusal?.reason == .unknownActivation)
    }
}
