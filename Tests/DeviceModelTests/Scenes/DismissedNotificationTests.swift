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
            device.go(through: .notificationDelivered(.example(id, about: "crusty")))
        }
    }

    @Test mutating func dismissalRemovesOnlyThatNotification() {
        let others = device.notifications.filter { $0.id != "a" }
        let effects = device.go(through: .notificationDismissed("a"))
        #expect(effects.isEmpty)
        #expect(device.notifications == others)
        #expect(device.notifications.map(\.id) == ["c", "b"])
        #expect(device.description == .example)
    }

    @Test mutating func dismissedNotificationCannotBeOpened() {
        device.go(through: .notificationDismissed("a"))
        let effects = device.go(through: .notificationOpened("a"))
        #expect(effects == [.nothingToOpen("a")])
        #expect(device.description == .example)
        #expect(device.activations(of: Self.clownTown).isEmpty)
    }

    @Test mutating func dismissedNotificationIsNotDeliveredAgain() {
        device.go(through: .notificationDismissed("a"))
        let effects = device.go(through: .notificationDelivered(.example("a", about: "crusty", title: "again")))
        #expect(effects == [.repetitionIgnored("a")])
        #expect(device.notifications.map(\.id) == ["c", "b"])
        let opening = device.go(through: .notificationOpened("a"))
        #expect(opening == [.nothingToOpen("a")])
    }

    @Test mutating func notificationCanBeDismissedOnce() {
        device.go(through: .notificationDismissed("a"))
        let effects = device.go(through: .notificationDismissed("a"))
        #expect(effects.refusal?.reason == .unknownNotification)
        #expect(effects.refusal?.explanation == "there is no notification a")
        #expect(device.notifications.map(\.id) == ["c", "b"])
    }

    @Test mutating func unknownNotificationCannotBeDismissed() {
        let effects = device.go(through: .notificationDismissed("absent"))
        #expect(effects.refusal?.reason == .unknownNotification)
        #expect(device.notifications.map(\.id) == ["c", "a", "b"])
        let delivered = device.go(through: .notificationDelivered(.example("absent")))
        #expect(delivered.count == 1)
        #expect(device.notifications.map(\.id) == ["c", "a", "b", "absent"])
    }

    /// The user opened it, and the app has not received the activation yet.
    @Test mutating func dismissalKeepsTheActivationOfAnOpenedNotification() {
        device.go(through: .notificationOpened("a"))
        let activations = device.activations(of: Self.clownTown)
        #expect(activations.map(\.notification?.id) == ["a"])
        device.go(through: .notificationDismissed("a"))
        #expect(device.notifications.map(\.id) == ["c", "b"])
        #expect(device.activations(of: Self.clownTown) == activations)
    }

    @Test mutating func everyNotificationCanBeDismissed() {
        device.go(through: .notificationDismissed("b"), .notificationDismissed("c"), .notificationDismissed("a"))
        #expect(device.notifications.isEmpty)
    }
}
