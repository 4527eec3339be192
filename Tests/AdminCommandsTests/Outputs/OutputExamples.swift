import TextReports
import WaypostSchema

@testable import AdminCommands

extension OutputExample {
    /// The examples, with names that are difficult for a terminal.
    static let all: [Self] = [
        Self("tokens list", devices, TokensListCommand.table),
        Self("tokens show", one: devices[0].device) { $0.details },
        Self(
            "tokens create",
            [CreatedDevice(name: "iPad", credential: DeviceCredential(token: token, secret: "5ec4e7"))],
            TokensCreateCommand.table
        ),
        Self("send", one: receipt) { SendCommand.table($0) },
        Self("batches show", one: status, BatchesCommand.table),
        Self("notifications list", records, NotificationsListCommand.table),
        Self("notifications show", one: records[0], NotificationDetails.text),
        Self("inbox list", inbox, InboxListCommand.table),
        Self("streams list", streams, StreamsListCommand.table),
        Self("storage list", [AppSettings(topic: "com.example.clowntown", storage: .apns)], StorageCommand.table),
        Self("clock show", one: ClockReading(now: noon, clock: .manual), ClockCommand.text),
        Self(
            "health",
            one: Health(schema: 1, store: "sqlite", version: "0.1.0", checks: ["store": "ok"]),
            HealthCommand.text
        ),
        Self("doctor", checks, HealthCheck.table),
        Self(
            "context list",
            [NamedContext(name: "staging", isUsed: true, settings: ContextSettings(gateway: "http://127.0.0.1:8330"))],
            NamedContext.table
        ),
        Self(
            "version",
            one: Version.Report(version: "0.2.0", commit: "0dd4df0", schema: 1, build: "release")
        ) { $0.text },
    ]

    private static let token: DeviceToken = "c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00"
    private static let other: DeviceToken = "feed0000feed0000feed0000feed0000feed0000feed0000feed0000feed0000"
    private static let noon = Timestamp(milliseconds: 1_790_000_000_000)
    private static let parent: TraceParent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    private static let devices = [
        ListedDevice(
            device: RegisteredDevice(token: token, name: "엔리케의 iPad 🤡", topics: ["com.example.clowntown"], since: noon),
            connected: true,
            stored: 0
        ),
        ListedDevice(
            device: RegisteredDevice(
                token: other,
                name: "\u{1B}[31mred",
                topics: ["com.example.clowntown", "com.example.tv"],
                standing: .unregistered,
                since: noon,
                powerConstrained: true
            ),
            connected: false,
            stored: 12
        ),
    ]

    private static let receipt = BatchReceipt(
        id: "3f2d4e58-27b5-4ac2-a653-4434e7155760",
        accepted: 1,
        rejected: 1,
        durability: .fsync,
        results: [
            ItemResult(
                index: 1,
                line: 2,
                status: 410,
                reason: .unregistered,
                message: "the device was unregistered",
                field: "token",
                offset: 96
            )
        ]
    )

    private static let status = BatchStatus(
        id: "3f2d4e58-27b5-4ac2-a653-4434e7155760",
        accepted: 3,
        rejected: 1,
        states: [.acknowledged: 2, .stored: 1]
    )

    private static let records = [
        NotificationRecord(
            sequence: 41,
            id: "9f0c2f6e-3c1b-4a57-8f43-5d8f1f7c0a11",
            batch: "3f2d4e58-27b5-4ac2-a653-4434e7155760",
            token: token,
            topic: "com.example.clowntown",
            pushType: "alert",
            priority: 10,
            state: .acknowledged,
            attempts: 1,
            history: [
                DeliveryStep(.accepted, at: noon), DeliveryStep(.stored, at: noon),
                DeliveryStep(.sent, at: Timestamp(milliseconds: noon.rawValue + 3)),
                DeliveryStep(.acknowledged, at: Timestamp(milliseconds: noon.rawValue + 61_250)),
            ],
            traceparent: parent
        ),
        NotificationRecord(
            sequence: 42,
            id: "00000000-0000-4000-8000-000000000002",
            batch: "3f2d4e58-27b5-4ac2-a653-4434e7155760",
            token: other,
            topic: "com.example.clowntown",
            state: .rejected,
            history: [DeliveryStep(.rejected, at: noon)],
            reason: .unregistered,
            message: "the device was unregistered"
        ),
    ]

    private static let inbox = ["Honk", "مرحبا 🤡", "\u{1B}]0;owned\u{7}"].enumerated().map { index, title in
        InboxEntry(
            notification: DeliveredNotification(
                sequence: 41 + index,
                id: NotificationID(rawValue: "00000000-0000-4000-8000-00000000000\(index)"),
                token: token,
                topic: "com.example.clowntown",
                pushType: "alert",
                priority: index == 1 ? 5 : 10,
                payload: .object(["aps": .object(["alert": .object(["title": .string(title)])])])
            ),
            state: index == 0 ? .sent : .stored,
            held: index == 1
        )
    }

    private static let streams = [
        OpenStream(
            agent: 1,
            devices: [StreamDevice(token: token, name: "엔리케의 iPad 🤡"), StreamDevice(token: other, name: "Watch")],
            age: 192_000,
            unacknowledged: 2,
            behind: true
        ),
        OpenStream(
            agent: 7,
            devices: [StreamDevice(token: other, name: "Mac")],
            age: 500,
            unacknowledged: 0,
            behind: false
        ),
    ]

    private static let checks = [
        HealthCheck.ok("waypost-agent", "/usr/bin/waypost-agent"),
        .problem(
            "waypost-gateway",
            "neither in /usr/bin nor on the PATH",
            remedy: "make a link to this program: ln -s waypost /usr/bin/waypost-gateway"
        ),
        .skipped("data folder", "unknown"),
    ]
}
