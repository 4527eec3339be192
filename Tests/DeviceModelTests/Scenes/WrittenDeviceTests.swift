import DeviceModel
import FoundationEssentials
import Testing
import WaypostSchema

/// A decoded device with its scenes, activations and snapshots.
@Suite struct WrittenDeviceTests {
    private static let clownTown: BundleIdentifier = "com.example.clowntown"
    private static let now = Timestamp(milliseconds: 100)

    @Test func decodedDeviceContinuesLikeTheOriginal() throws {
        var device = try DeviceModel(.example)
        var process = AppProcess(of: Self.clownTown)
        let events: [DeviceEvent] = [
            .scene(
                .activationConditionsSet(
                    Self.clownTown,
                    "overview",
                    ActivationConditions(can: "SELF == 'crusty'", prefers: "SELF == 'crusty'")
                )
            ),
            .scene(.shortcutItemsSet(Self.clownTown, [ShortcutItem(type: "call", localizedTitle: "Call")])),
            .scene(.restorationActivitySet(Self.clownTown, "overview", UserActivity(activityType: "clown"))),
            .system(.snapshotTaken("before")),
            .notification(.notificationDelivered(.example(about: "crusty"))), .notification(.notificationOpened("n1")),
            .scene(.sceneDisconnected(Self.clownTown, "crusty")), .scene(.sceneCreated(Self.clownTown, nil)),
            .setting(.languageSet("ja")), .setting(.lowPowerModeSet(isOn: true)),
        ]
        var former = device
        for event in events {
            _ = device.apply(event, at: Self.now)
            if case .system(.snapshotTaken) = event { former = device }
        }
        _ = process.newEvents(on: device)
        var read = try JSONDecoder().decode(DeviceModel.self, from: try JSONEncoder().encode(device))
        // A snapshot is a place in the journal; only its name is in the device.
        #expect(read.missingSnapshotNames == ["before"])
        #expect(read.snapshotNames == ["before"])
        read.addMissingSnapshots(from: former)
        #expect(read.missingSnapshotNames.isEmpty)
        #expect(read.description == device.description)
        #expect(read.activations(of: Self.clownTown) == device.activations(of: Self.clownTown))
        #expect(read.notifications == device.notifications)
        var same = process
        #expect(same.newEvents(on: read).isEmpty)
        let later: [DeviceEvent] = [
            .notification(.notificationDelivered(.example(about: "crusty"))),
            .notification(.notificationDelivered(.example("n2", about: "crusty"))),
            .notification(.notificationOpened("n2")), .scene(.shortcutItemPerformed(Self.clownTown, type: "call")),
            .system(.deviceRestored(snapshot: "before")), .scene(.appOpened(Self.clownTown)),
        ]
        for event in later {
            let reaction = device.apply(event, at: Self.now)
            #expect(read.apply(event, at: Self.now) == reaction)
        }
        #expect(read.description == device.description)
    }
}
