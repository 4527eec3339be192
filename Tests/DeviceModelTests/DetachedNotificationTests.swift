import DeviceModel
import FoundationEssentials
import Testing
import WaypostSchema

/// A device whose notifications are written apart from it.
@Suite struct DetachedNotificationTests {
    private static let now = Timestamp(milliseconds: 100)

    private static func passed<Value: Codable>(_ value: Value) throws -> Value {
        try JSONDecoder().decode(Value.self, from: try JSONEncoder().encode(value))
    }

    @Test func deviceIsTheSameAfterItsNotificationsAreAttachedAgain() throws {
        var device = try DeviceModel(.example)
        let events: [NotificationEvent] = [
            .notificationDelivered(.example("n1", about: "crusty")),
            .notificationDelivered(.example("n2", about: "crusty")),
            .notificationDelivered(.example("n3", about: "crusty")), .notificationDismissed("n2"),
            .notificationOpened("n1"),
        ]
        for event in events { _ = device.apply(.notification(event), at: Self.now) }
        var rest = device
        let notifications = rest.detachNotifications()
        #expect(notifications.count == 2)
        #expect(rest.notifications.isEmpty)
        var read = try Self.passed(rest)
        read.attach(try notifications.map { try Self.passed($0) })
        #expect(read.notifications == device.notifications)
        #expect(read.hasReceived("n2"))
        let later = DeviceEvent.notification(.notificationDelivered(.example("n3", about: "crusty")))
        let reaction = device.apply(later, at: Self.now)
        let readReaction = read.apply(later, at: Self.now)
        #expect(readReaction == reaction)
    }
}
