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
        device.go(
            through: .system(.snapshotTaken("c")),
            .system(.snapshotTaken("a")),
            .system(.snapshotTaken("b")),
            .system(.snapshotTaken("a"))
        )
        #expect(device.snapshotNames == ["a", "b", "c"])
    }

    @Test(arguments: ["first", "second", nil])
    mutating func snapshotsSurviveARestore(_ name: String?) {
        device.go(
            through: .scene(.sceneCreated(Self.clownTown, nil)),
            .system(.snapshotTaken("first")),
            .scene(.sceneCreated(Self.clownTown, nil)),
            .system(.snapshotTaken("second")),
            .system(.deviceRestored(snapshot: name))
        )
        #expect(device.snapshotNames == ["first", "second"])
        device.go(through: .system(.deviceRestored(snapshot: "second")))
        #expect(device.foreground == ["new-scene-2"])
        device.go(through: .system(.deviceRestored(snapshot: "first")))
        #expect(device.foreground == ["new-scene-1"])
        #expect(device.scene("new-scene-2", of: Self.clownTown) == nil)
        #expect(device.snapshotNames == ["first", "second"])
    }

    @Test mutating func laterSnapshotReplacesTheEarlierSnapshotOfThatName() {
        device.go(
            through: .system(.snapshotTaken("a")),
            .scene(.sceneCreated(Self.clownTown, nil)),
            .system(.snapshotTaken("a")),
            .scene(.sceneCreated(Self.clownTown, nil)),
            .system(.deviceRestored(snapshot: "a"))
        )
        #expect(device.foreground == ["new-scene-1"])
    }

    @Test mutating func changesToARestoredDeviceLeaveTheSnapshotUnchanged() {
        device.go(
            through: .system(.snapshotTaken("a")),
            .system(.deviceRestored(snapshot: "a")),
            .scene(.sceneClosed(Self.clownTown, "crusty")),
            .system(.deviceRestored(snapshot: "a"))
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
        let deliveries: [DeviceEvent] = [
            .notification(.notificationDelivered(.example("n1"))), .notification(.notificationDelivered(activity)),
        ]
        device.go(through: [.system(.snapshotTaken("a"))] + deliveries + [.system(.deviceRestored(snapshot: name))])
        for (delivery, id) in zip(deliveries, ["n1", "h1"] as [NotificationID]) {
            let effects = device.go(through: delivery)
            #expect(effects == [.notification(.repetitionIgnored(id))])
        }
        #expect(device.notifications.isEmpty)
        #expect(device.offeredActivities.isEmpty)
    }

    /// A journal with many snapshots and restores.
    private static let journal: [DeviceEvent] = [
        .notification(.notificationDelivered(.example("n1", about: "crusty"))), .system(.snapshotTaken("a")),
        .notification(.notificationOpened("n1")),
        .scene(.sceneCreated(clownTown, nil)), .system(.deviceRestored(snapshot: "a")),
        .notification(.notificationOpened("n1")),
        .notification(.notificationDismissed("n1")), .system(.snapshotTaken("b")),
        .system(.deviceRestored(snapshot: nil)), .system(.snapshotTaken("c")),
        .notification(.notificationDelivered(.example("n1", about: "crusty"))), .system(.deviceRestored(snapshot: "b")),
        .system(.deviceRestored(snapshot: "d")), .scene(.appOpened(clownTown)),
        .scene(.activationTaken(clownTown, number: 6)),
        .system(.deviceRestored(snapshot: "c")), .scene(.appOpened(clownTown)),
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
