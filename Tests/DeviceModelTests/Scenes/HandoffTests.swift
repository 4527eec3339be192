import DeviceModel
import Testing
import WaypostSchema

/// Activities of other devices, in notifications of the topic `waypost.activities`.
@Suite struct HandoffTests {
    private static let now = Timestamp(milliseconds: 100)
    private static let clownTown: BundleIdentifier = "com.example.clowntown"
    private static let crusty = UserActivity(activityType: "clown", targetContentIdentifier: "crusty")
    private var device: DeviceModel

    init() throws {
        device = try DeviceModel(.example)
    }

    /// Returns a notification with a payload.
    private static func push(_ payload: JSONValue, as id: NotificationID = "h1") -> DeviceEvent {
        var notification = DeliveredNotification.example(id, for: .activities)
        notification.payload = payload
        return .notification(.notificationDelivered(notification))
    }

    /// Returns a notification about an activity with Crusty in an app on another device.
    private static func handed(
        _ id: NotificationID = "h1",
        of app: String = "com.example.clowntown",
        from device: String = "phone"
    ) -> DeviceEvent {
        let activity: [String: JSONValue] = [
            "activityType": .string("clown"), "targetContentIdentifier": .string("crusty"),
        ]
        return push(.object(["app": .string(app), "activity": .object(activity), "from": .string(device)]), as: id)
    }

    @Test mutating func activityOfAnotherDeviceIsOffered() {
        let effects = device.go(through: Self.handed(), at: Self.now)
        let app = Self.clownTown
        let offer = OfferedActivity(id: "h1", app: app, activity: Self.crusty, from: "phone", receivedAt: Self.now)
        #expect(effects == [.scene(.activityOffered(offer))])
        #expect(device.offeredActivities == [offer])
        #expect(device.hasReceived("h1") && !device.hasReceived("h2"))
    }

    @Test mutating func offerOpensNothingAndIsNotANotification() {
        device.go(through: Self.handed())
        #expect(device.notifications.isEmpty)
        #expect(device.activations(of: Self.clownTown).isEmpty)
        #expect(device.description == .example)
        let opened = device.go(through: .notification(.notificationOpened("h1")))
        #expect(opened == [.scene(.nothingToOpen("h1"))])
    }

    @Test mutating func repeatedDeliveryIsOfferedOnce() {
        device.go(through: Self.handed("h1"))
        let again = device.go(through: Self.handed("h1", from: "mac"))
        #expect(again == [.notification(.repetitionIgnored("h1"))])
        #expect(device.offeredActivities.map(\.from) == ["phone"])
        device.go(through: .scene(.userActivityContinued(Self.clownTown, Self.crusty, from: "phone")))
        let late = device.go(through: Self.handed("h1"))
        #expect(late == [.notification(.repetitionIgnored("h1"))])
        #expect(device.offeredActivities.isEmpty)
    }

    @Test(
        arguments: [
            (handed("h3"), ["h2", "h3"]),
            (handed("h3", from: "mac"), ["h1", "h3"]),
            (handed("h3", from: "watch"), ["h1", "h2", "h3"]),
            (handed("h3", of: "com.example.notes"), ["h1", "h2", "h3"]),
        ] as [(DeviceEvent, [NotificationID])]
    )
    mutating func latestActivityOfAnAppOnADeviceReplacesThePreviousOne(_ event: DeviceEvent, _ offers: [NotificationID])
    {
        device.go(through: Self.handed("h1"), Self.handed("h2", from: "mac"), event)
        #expect(device.offeredActivities.map(\.id) == offers)
    }

    @Test mutating func continuedActivityIsNoLongerOffered() {
        device.go(through: Self.handed("h1"), Self.handed("h2", from: "mac"))
        let effects = device.go(through: .scene(.userActivityContinued(Self.clownTown, Self.crusty, from: "phone")))
        let activation = SceneActivation(number: 3, scene: "crusty", userActivity: Self.crusty)
        #expect(effects.openedScene?.activation == activation)
        #expect(device.activations(of: Self.clownTown) == [activation])
        #expect(device.offeredActivities.map(\.id) == ["h2"])
    }

    @Test mutating func activityWithoutASourceDeviceLeavesTheOffers() {
        device.go(through: Self.handed(), .scene(.userActivityContinued(Self.clownTown, Self.crusty, from: nil)))
        #expect(device.offeredActivities.map(\.id) == ["h1"])
    }

    @Test mutating func activityOfAnUnknownAppIsNotOffered() {
        let effects = device.go(through: Self.handed(of: "com.example.absent"))
        #expect(effects.refusal?.reason == .unknownApp)
        #expect(device.offeredActivities.isEmpty)
    }

    @Test mutating func removingTheAppRemovesItsOffers() {
        device.go(
            through: Self.handed("h1"),
            Self.handed("h2", of: "com.example.notes"),
            .system(.appRemoved(Self.clownTown))
        )
        #expect(device.offeredActivities.map(\.id) == ["h2"])
        let effects = device.go(through: .scene(.userActivityContinued(Self.clownTown, Self.crusty, from: "phone")))
        #expect(effects.refusal?.reason == .unknownApp)
        #expect(device.offeredActivities.map(\.id) == ["h2"])
    }

    struct Case: CustomTestStringConvertible {
        var identifier: TargetContentIdentifier?
        var page: String?
        var scene: SceneIdentifier
        var source: SceneSubject.Source?
        var testDescription: String { "\(identifier?.rawValue ?? "nothing"), \(page ?? "no page")" }
    }

    @Test(
        arguments: [
            Case(identifier: "crusty", page: nil, scene: "crusty", source: .targetContentIdentifier),
            Case(identifier: nil, page: "crusty", scene: "crusty", source: .webpageURL),
            Case(identifier: "", page: "crusty", scene: "crusty", source: .webpageURL),
            Case(identifier: "bozo", page: "crusty", scene: "overview", source: .targetContentIdentifier),
            Case(identifier: "crusty", page: "bozo", scene: "crusty", source: .targetContentIdentifier),
            Case(identifier: nil, page: nil, scene: "overview", source: nil),
        ]
    )
    mutating func sceneIsChosenByTheIdentifierOrElseByTheWebpageURL(_ example: Case) {
        let activity = UserActivity(
            activityType: "clown",
            targetContentIdentifier: example.identifier,
            webpageURL: example.page
        )
        let effects = device.go(through: .scene(.userActivityContinued(Self.clownTown, activity, from: "phone")))
        #expect(effects.openedScene?.activation.scene == example.scene)
        #expect(effects.openedScene?.activation.userActivity == activity)
        #expect(effects.openedScene?.decision?.subject?.source == example.source)
    }

    @Test(
        arguments: [
            (.object([:]), "'app'"),
            (.object(["app": .string("com.example.clowntown")]), "'activity'"),
            (.object(["app": .string("a"), "activity": .object([:])]), "'activity.activityType'"),
            (.object(["app": .string("a"), "activity": .object(["activityType": .string("c")])]), "'from'"),
            (.object(["app": .integer(1)]), "'app'"),
            (.string("crusty"), "the document"),
        ] as [(JSONValue, String)]
    )
    mutating func payloadThatIsNotAnActivityIsIgnored(_ payload: JSONValue, _ place: String) {
        let effects = device.go(through: Self.push(payload))
        #expect(effects.refusal?.reason == .noActivity)
        let explanation = effects.refusal?.explanation ?? ""
        #expect(explanation.hasPrefix("the payload is not a handed-off activity: "))
        #expect(explanation.contains(place))
        #expect(device.offeredActivities.isEmpty)
    }
}
