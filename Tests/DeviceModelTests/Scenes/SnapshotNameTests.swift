import DeviceModel
import Testing
import WaypostSchema

/// Several snapshots of a device, and the same journal on two devices.
@Suite struct SnapshotNameTests {
    private static let clownTown: BundleIdentifier = "com.example.clowntown"
    private var device: DeviceModel

    init() throws {
        device = try DeviceModel(.example)
    }

    @Test mutating func snapshotsAreListedByName() {
        #expect(device.snapshotNames.isEmpty)
        device.go(through: .snapshotTaken("c"), .snapshotTaken("a"), .snapshotTaken("b"), .snapshotTaken("a"))
        #expect(device.snapshotNames == ["a", "b", "c"])
    }

    @Test(arguments: ["first", "second", nil])
    mutating func snapshotsSurviveARestore(_ name: String?) {
        device.go(
            through: .sceneCreated(Self.clownTown, nil),
            .snapshotTaken("first"),
            .sceneCreated(Self.clownTown, nil),
            .snapshotTaken("second"),
            .deviceRestored(snapshot: name)
        )
        #expect(device.snapshotNames == ["first", "second"])
        device.go(through: .deviceRestored(snapshot: "second"))
        #expect(device.foreground == ["new-scene-2"])
        device.go(through: .deviceRestored(snapshot: "first"))
        #expect(device.foreground == ["new-scene-1"])
        #expect(device.scene("new-scene-2", of: Self.clownTown) == nil)
        #expect(device.snapshotNames == ["first", "second"])
    }

    @Test mutating func laterSnapshotReplacesTheEarlierSnapshotOfThatName() {
        device.go(
            through: .snapshotTaken("a"),
            .sceneCreated(Self.clownTown, nil),
            .snapshotTaken("a"),
            .sceneCreated(Self.clownTown, nil),
            .deviceRestored(snapshot: "a")
        )
        #expect(device.foreground == ["new-scene-1"])
    }

    @Test mutating func changesToARestoredDeviceLeaveTheSnapshotUnchanged() {
        device.go(
            through: .snapshotTaken("a"),
            .deviceRestored(snapshot: "a"),
            .sceneClosed(Self.clownTown, "crusty"),
            .deviceRestored(snapshot: "a")
        )
        #expect(device.description == .example)
    }

    @Test(arguments: ["a", nil])
    mutating func deliveryBeforeTheRestoreIsNotRepeated(_ name: String?) {
        var activity = DeliveredNotification.example("h1", for: .activities)
        activity.payload = .object([
            "app": .string("com.example.clowntown"), "activity": .object(["activityType": .string("clown")]),
            "from": .string("phone"),
        ])
        let deliveries: [DeviceEvent] = [.notificationDelivered(.example("n1")), .notificationDelivered(activity)]
        device.go(through: [.snapshotTaken("a")] + deliveries + [.deviceRestored(snapshot: name)])
        for (delivery, id) in zip(deliveries, ["n1", "h1"] as [NotificationID]) {
            let effects = device.go(through: delivery)
            #expect(effects == [.repetitionIgnored(id)])
        }
        #expect(device.notifications.isEmpty)
        #expect(device.offeredActivities.isEmpty)
    }

    /// A journal with many snapshots and restores.
    private static let journal: [DeviceEvent] = [
        .notificationDelivered(.example("n1", about: "crusty")), .snapshotTaken("a"), .notificationOpened("n1"),
        .sceneCreated(clownTown, nil), .deviceRestored(snapshot: "a"), .notificationOpened("n1"),
        .notificationDismissed("n1"), .snapshotTaken("b"), .deviceRestored(snapshot: nil), .snapshotTaken("c"),
        .notificationDelivered(.example("n1", about: "crusty")), .deviceRestored(snapshot: "b"),
        .deviceRestored(snapshot: "d"), .appOpened(clownTown), .activationTaken(clownTown, number: 6),
        .deviceRestored(snapshot: "c"), .appOpened(clownTown),
    ]

    @Test func sameEventsGiveTheSameDevice() throws {
        var (first, second) = (try DeviceModel(.example), try DeviceModel(.example))
        for (number, event) in Self.journal.enumerated() {
            let now = Timestamp(milliseconds: 100 + number)
            let (reaction, again) = (first.apply(event, at: now), second.apply(event, at: now))
            #expect(reaction == again, "\(event)")
            #expect(first.description == second.description, "\(event)")
            #expect(first.notifications == second.notifications, "\(event)")
            #expect(first.activations(of: Self.clownTown) == second.activations(of: Self.clownTown), "\(event)")
            #expect(first.snapshotNames == second.snapshotNames, "\(event)")
        }
        #expect(first.activations(of: Self.clownTown).map(\.number) == [Self.journal.count])
    }
}
