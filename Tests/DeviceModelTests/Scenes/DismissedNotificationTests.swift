import DeviceModel
import Testing
import WaypostSchema

/// Notifications that the user dismisses.
@Suite struct DismissedNotificationTests {
    private static let clownTown: BundleIdentifier = "com.example.clowntown"
    private var device: DeviceModel

    init() throws {
        device = try DeviceModel(.example)
        for id in ["c", "a", "b"] as [NotificationID] {
            device.go(through: .notification(.notificationDelivered(.example(id, about: "crusty"))))
        }
    }

    @Test mutating func dismissalRemovesOnlyThatNotification() {
        let others = device.notifications.filter { $0.id != "a" }
        let effects = device.go(through: .notification(.notificationDismissed("a")))
        #expect(effects.isEmpty)
        #expect(device.notifications == others)
        #expect(device.notifications.map(\.id) == ["c", "b"])
        #expect(device.description == .example)
    }

    @Test mutating func dismissedNotificationCannotBeOpened() {
        device.go(through: .notification(.notificationDismissed("a")))
        let effects = device.go(through: .notification(.notificationOpened("a")))
        #expect(effects == [.scene(.nothingToOpen("a"))])
        #expect(device.description == .example)
        #expect(device.activations(of: Self.clownTown).isEmpty)
    }

    @Test mutating func dismissedNotificationIsNotDeliveredAgain() {
        device.go(through: .notification(.notificationDismissed("a")))
        let effects = device.go(
            through: .notification(.notificationDelivered(.example("a", about: "crusty", title: "again")))
        )
        #expect(effects == [.notification(.repetitionIgnored("a"))])
        #expect(device.notifications.map(\.id) == ["c", "b"])
        let opening = device.go(through: .notification(.notificationOpened("a")))
        #expect(opening == [.scene(.nothingToOpen("a"))])
    }

    @Test mutating func notificationCanBeDismissedOnce() {
        device.go(through: .notification(.notificationDismissed("a")))
        let effects = device.go(through: .notification(.notificationDismissed("a")))
        #expect(effects.refusal?.reason == .unknownNotification)
        #expect(effects.refusal?.explanation == "there is no notification a")
        #expect(device.notifications.map(\.id) == ["c", "b"])
    }

    @Test mutating func unknownNotificationCannotBeDismissed() {
        let effects = device.go(through: .notification(.notificationDismissed("absent")))
        #expect(effects.refusal?.reason == .unknownNotification)
        #expect(device.notifications.map(\.id) == ["c", "a", "b"])
        let delivered = device.go(through: .notification(.notificationDelivered(.example("absent"))))
        #expect(delivered.count == 1)
        #expect(device.notifications.map(\.id) == ["c", "a", "b", "absent"])
    }

    /// The user opened it, and the app has not received the activation yet.
    @Test mutating func dismissalKeepsTheActivationOfAnOpenedNotification() {
        device.go(through: .notification(.notificationOpened("a")))
        let activations = device.activations(of: Self.clownTown)
        #expect(activations.map(\.notification?.id) == ["a"])
        device.go(through: .notification(.notificationDismissed("a")))
        #expect(device.notifications.map(\.id) == ["c", "b"])
        #expect(device.activations(of: Self.clownTown) == activations)
    }

    @Test mutating func everyNotificationCanBeDismissed() {
        device.go(
            through: .notification(.notificationDismissed("b")),
            .notification(.notificationDismissed("c")),
            .notification(.notificationDismissed("a"))
        )
        #expect(device.notifications.isEmpty)
    }
}
