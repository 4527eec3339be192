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
            .activationConditionsSet(
                Self.clownTown,
                "overview",
                ActivationConditions(can: "SELF == 'crusty'", prefers: "SELF == 'crusty'")
            ),
            .shortcutItemsSet(Self.clownTown, [ShortcutItem(type: "call", localizedTitle: "Call")]),
            .restorationActivitySet(Self.clownTown, "overview", UserActivity(activityType: "clown")),
            .snapshotTaken("before"),
            .notificationDelivered(.example(about: "crusty")), .notificationOpened("n1"),
            .sceneDisconnected(Self.clownTown, "crusty"), .sceneCreated(Self.clownTown, nil),
            .languageSet("ja"), .lowPowerModeSet(isOn: true),
        ]
        var former = device
        for event in events {
            _ = device.apply(event, at: Self.now)
            if case .snapshotTaken = event { former = device }
        }
        _ = process.news(on: device)
        var read = try JSONDecoder().decode(DeviceModel.self, from: try JSONEncoder().encode(device))
        // A snapshot is a place in the journal; only its name is in the device.
        #expect(read.missingSnapshots == ["before"])
        #expect(read.snapshotNames == ["before"])
        read.takeSnapshots(from: former)
        #expect(read.missingSnapshots.isEmpty)
        #expect(read.description == device.description)
        #expect(read.activations(of: Self.clownTown) == device.activations(of: Self.clownTown))
        #expect(read.notifications == device.notifications)
        var same = process
        #expect(same.news(on: read).isEmpty)
        let later: [DeviceEvent] = [
            .notificationDelivered(.example(about: "crusty")), .notificationDelivered(.example("n2", about: "crusty")),
            .notificationOpened("n2"), .shortcutItemPerformed(Self.clownTown, type: "call"),
            .deviceRestored(snapshot: "before"), .appOpened(Self.clownTown),
        ]
        for event in later {
            let reaction = device.apply(event, at: Self.now)
            #expect(read.apply(event, at: Self.now) == reaction)
        }
        #expect(read.description == device.description)
    }
}
