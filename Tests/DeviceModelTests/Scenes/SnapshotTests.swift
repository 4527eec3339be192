import DeviceModel
import Testing
import WaypostSchema

/// Snapshots of a device and their restoration.
@Suite struct SnapshotTests {
    private static let clownTown: BundleIdentifier = "com.example.clowntown"
    private static let notes: BundleIdentifier = "com.example.notes"

    /// The events before the snapshot.
    private static let first: [DeviceEvent] = [
        .notification(.notificationDelivered(.example("n1", about: "crusty"))),
        .notification(.notificationDelivered(.example("n2"))),
        .notification(.notificationOpened("n1")),
        .scene(.sceneCreated(notes, UserActivity(activityType: "note"))),
        .scene(.activationConditionsSet(notes, "right", ActivationConditions(can: "SELF == 'a'"))),
        .scene(.shortcutItemsSet(clownTown, [ShortcutItem(type: "feed", localizedTitle: "Feed")])),
        .setting(.languageSet("ja")),
    ]

    /// The events after the snapshot.
    private static let second: [DeviceEvent] = [
        .scene(.activationTaken(clownTown, number: 3)),
        .notification(.notificationDismissed("n2")),
        .notification(.notificationDelivered(.example("n3", for: "com.example.notes", about: "note/2"))),
        .notification(.notificationOpened("n3")),
        .scene(.sceneClosed(clownTown, "crusty")),
        .scene(.shortcutItemsSet(clownTown, [])),
        .system(.appRemoved(notes)),
        .system(.appInstalled(AppDescription(bundleIdentifier: "com.example.new", scenes: []))),
        .setting(.languageSet("fr")),
        .setting(.lowPowerModeSet(isOn: true)),
        .setting(.muteSwitchSet(isOn: true)),
    ]

    /// The state that is compared between two devices.
    private struct State: Equatable {
        let description: DeviceDescription
        let notifications: [DeviceNotification]
        let activations: [[SceneActivation]]
        let offers: [OfferedActivity]

        init(_ device: DeviceModel) {
            description = device.description
            notifications = device.notifications
            activations = device.description.apps.map { device.activations(of: $0.bundleIdentifier) }
            offers = device.offeredActivities
        }
    }

    private var device: DeviceModel

    init() throws {
        device = try DeviceModel(.example)
    }

    @Test mutating func restoredDeviceEqualsTheSnapshot() {
        device.go(through: Self.first)
        let noted = State(device)
        #expect(noted.activations.map(\.count) == [0, 1, 1])
        let effects = device.go(through: .system(.snapshotTaken("before")))
        #expect(effects.isEmpty)
        #expect(State(device) == noted)
        for _ in 0..<2 {
            device.go(through: Self.second)
            #expect(State(device) != noted)
            let restored = device.go(through: .system(.deviceRestored(snapshot: "before")))
            #expect(restored == [.system(.deviceRestored)])
            #expect(State(device) == noted)
        }
    }

    @Test mutating func restoringWithoutANameReturnsToTheDescription() throws {
        device.go(through: Self.first + [.system(.snapshotTaken("before"))] + Self.second)
        let effects = device.go(through: .system(.deviceRestored(snapshot: nil)))
        #expect(effects == [.system(.deviceRestored)])
        let described = State(try DeviceModel(.example))
        #expect(State(device) == described)
    }

    @Test mutating func restoringWithoutANameReturnsToTheLatestDescription() {
        let other = DeviceDescription(name: "tablet", apps: [AppDescription(bundleIdentifier: Self.notes, scenes: [])])
        device.go(
            through: .system(.snapshotTaken("before")),
            .system(.deviceDescribed(other)),
            .scene(.sceneCreated(Self.notes, nil))
        )
        device.go(through: .system(.deviceRestored(snapshot: nil)))
        #expect(device.description == other)
        device.go(through: .system(.deviceRestored(snapshot: "before")))
        #expect(device.description == .example)
    }

    @Test func restoringADeviceWithoutADescriptionRemovesItsApps() {
        var device = DeviceModel()
        device.go(through: .system(.appInstalled(AppDescription(bundleIdentifier: Self.notes, scenes: []))))
        device.go(through: .system(.deviceRestored(snapshot: nil)))
        #expect(device.description.apps.isEmpty)
    }

    @Test mutating func restoredDeviceKeepsItsNewName() {
        device.go(
            through: .system(.snapshotTaken("before")),
            .system(.deviceRenamed("copy")),
            .scene(.sceneCreated(Self.notes, nil))
        )
        device.go(through: .system(.deviceRestored(snapshot: "before")))
        var expected = DeviceDescription.example
        expected.name = "copy"
        #expect(device.description == expected)
        device.go(through: .system(.deviceRestored(snapshot: nil)))
        #expect(device.name == "copy")
    }

    @Test mutating func restoringDoesNotTurnBackTime() {
        device.go(through: .system(.snapshotTaken("before")), at: Timestamp(milliseconds: 100))
        device.go(through: .system(.deviceRestored(snapshot: "before")), at: Timestamp(milliseconds: 300))
        device.go(through: .notification(.notificationDelivered(.example())), at: Timestamp(milliseconds: 200))
        #expect(device.notifications.map(\.receivedAt) == [Timestamp(milliseconds: 300)])
    }

    @Test(arguments: ["before", nil])
    mutating func activationNumbersAreNeverReused(_ name: String?) {
        device.go(through: .system(.snapshotTaken("before")))
        var numbers: [Int] = []
        for _ in 0..<3 {
            let opened = device.go(through: .scene(.appOpened(Self.clownTown))).openedScene
            numbers += [opened?.activation.number ?? 0]
            device.go(through: .system(.deviceRestored(snapshot: name)))
        }
        #expect(numbers == [2, 4, 6])
    }

    @Test(
        arguments: [
            (.system(.deviceRestored(snapshot: "after")), .unknownSnapshot),
            (.system(.deviceRestored(snapshot: "")), .unknownSnapshot),
            (.system(.snapshotTaken("")), .noName),
        ] as [(DeviceEvent, IgnoredEvent.Reason)]
    )
    mutating func unnamedOrUnknownSnapshotIsIgnored(_ event: DeviceEvent, _ reason: IgnoredEvent.Reason) {
        device.go(through: Self.first + [.system(.snapshotTaken("before"))])
        let former = State(device)
        let effects = device.go(through: event)
        #expect(effects.refusal?.reason == reason)
        #expect(State(device) == former)
        #expect(device.snapshotNames == ["before"])
    }
}
