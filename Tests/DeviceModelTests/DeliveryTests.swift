import DeviceModel
import Testing
import WaypostSchema

@Suite struct DeliveryTests {
    private static let now = Timestamp(milliseconds: 100)
    private var device: DeviceModel

    init() throws {
        device = try DeviceModel(.example)
    }

    @Test mutating func deliveredNotificationCanBeOpened() {
        let notification = DeliveredNotification.example("n1", about: "crusty", title: "Crusty")
        let effects = device.apply(.notification(.notificationDelivered(notification)), at: Self.now).effects
        var expected = DeviceNotification(
            id: "n1",
            topic: "com.example.clowntown",
            title: "Crusty",
            targetContentIdentifier: "crusty",
            receivedAt: Self.now
        )
        expected.presentation = .immediate
        // Its app is in the foreground, and is asked what it presents.
        #expect(effects.first == .notification(.notificationPosted(expected)))
        #expect(device.calls(of: "com.example.clowntown").map(\.function) == [.willPresent])
        #expect(device.notifications == [expected])
    }

    private static let alerts: [(JSONValue, String?)] = [
        (.object(["title": .string("A"), "body": .string("B")]), "A"),
        (.object(["body": .string("B")]), "B"),
        (.string("C"), "C"),
        (.null, nil),
    ]

    @Test(arguments: alerts)
    mutating func bodyReplacesAMissingTitle(_ alert: JSONValue, _ title: String?) {
        var notification = DeliveredNotification.example()
        notification.payload = .object(["aps": .object(["alert": alert])])
        _ = device.apply(.notification(.notificationDelivered(notification)), at: Self.now)
        #expect(device.notifications.map(\.title) == [title])
    }

    @Test mutating func deliveryChangesNoScene() {
        _ = device.apply(.notification(.notificationDelivered(.example(about: "crusty"))), at: Self.now)
        #expect(device.description == .example)
    }

    @Test mutating func repeatedDeliveryIsIgnored() {
        let first = DeliveredNotification.example("n1", title: "first")
        let second = DeliveredNotification.example("n1", for: "com.example.notes", title: "second")
        _ = device.apply(.notification(.notificationDelivered(first)), at: Self.now)
        let before = device.notifications
        #expect(
            device.apply(.notification(.notificationDelivered(second)), at: Timestamp(milliseconds: 200)).effects == [
                .notification(.repetitionIgnored("n1"))
            ]
        )
        #expect(device.notifications == before)
    }

    @Test mutating func repeatedDeliveryIsIgnoredAfterTheNotificationWasOpened() {
        let notification = DeliveredNotification.example("n1")
        _ = device.deliverAndOpen(notification, at: Self.now)
        let before = device.notifications
        #expect(
            device.apply(.notification(.notificationDelivered(notification)), at: Self.now).effects == [
                .notification(.repetitionIgnored("n1"))
            ]
        )
        #expect(device.notifications == before)
    }

    @Test(arguments: ["com.example.other", "com.example.clowntown.voip", "com.example.Clowntown", ""] as [Topic])
    mutating func notificationForAnUnknownTopicIsDiscarded(_ topic: Topic) {
        let notification = DeliveredNotification.example("n1", for: topic)
        for _ in 0..<2 {
            let effects = device.apply(.notification(.notificationDelivered(notification)), at: Self.now).effects
            #expect(effects == [.notification(.notificationDiscarded("n1", topic))])
        }
        #expect(device.notifications.isEmpty)
        #expect(
            device.apply(.notification(.notificationOpened("n1")), at: Self.now).effects == [
                .scene(.nothingToOpen("n1"))
            ]
        )
    }

    @Test mutating func notificationsAreInOrderOfDelivery() {
        for id in ["c", "a", "b"] as [NotificationID] {
            _ = device.apply(.notification(.notificationDelivered(.example(id))), at: Self.now)
        }
        _ = device.apply(.notification(.notificationOpened("a")), at: Self.now)
        #expect(device.notifications.map(\.id) == ["c", "a", "b"])
    }

    @Test func topicsAreTheAppsInOrderAndTheTopicsOfWaypost() {
        #expect(
            device.topics == [
                "com.example.camera", "com.example.clowntown", "com.example.notes", .activities, .messages,
            ]
        )
    }
}
