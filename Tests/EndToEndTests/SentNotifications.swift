import DeviceModel
import Foundation
import Testing
import WaypostSchema

/// The notifications that the test sends to a fleet, and then to the same devices of an agent.
struct SentNotifications: Sendable {
    static let rounds = 4
    private static let itemsPerRound = 4

    private static let clowntown: BundleIdentifier = "com.example.clowntown"
    private static let circus: BundleIdentifier = "com.example.circus"

    /// A device with an app whose scenes have different activation conditions, and an app with a single scene.
    static let device = DeviceDescription(
        name: "iPad",
        apps: [
            AppDescription(bundleIdentifier: circus, supportsMultipleScenes: false, scenes: []),
            AppDescription(
                bundleIdentifier: clowntown,
                scenes: [
                    SceneSession(
                        persistentIdentifier: "overview",
                        state: .foregroundActive,
                        activationConditions: ActivationConditions(can: "SELF BEGINSWITH 'https://clowntown.example/'")
                    ),
                    SceneSession(
                        persistentIdentifier: "crusty-detail",
                        state: .disconnected,
                        activationConditions: ActivationConditions(
                            can: "SELF ENDSWITH '/crusty'",
                            prefers: "SELF ENDSWITH '/crusty'"
                        )
                    ),
                ]
            ),
        ]
    )

    /// Content that a scene prefers, that a scene can display, and that none can display; and no content.
    private static let contents = [
        "https://clowntown.example/clowns/crusty", "https://clowntown.example/clowns", "balloon:7", nil,
    ]

    /// The items of each device, without tokens.
    let items: [[BatchItem]]

    private let byID: [NotificationID: BatchItem]

    init(devices: Int) throws {
        items = (0..<devices).map { device in
            (0..<Self.rounds * Self.itemsPerRound).map { Self.item($0, of: device) }
        }
        byID = Dictionary(uniqueKeysWithValues: try items.joined().map { (try #require($0.id), $0) })
    }

    /// Returns the name of a device, from its number, in a fleet and on the agent.
    static func name(of device: Int) -> String {
        "\(Self.device.name) \(device + 1)"
    }

    private static func item(_ number: Int, of device: Int) -> BatchItem {
        let app = (device + number) % 3 == 0 ? circus : clowntown
        var item = BatchItem(
            token: "",
            topic: Topic(rawValue: app.rawValue),
            id: NotificationID(rawValue: String(format: "%08x-0000-4000-8000-%012x", device, number)),
            payload: alert(number, about: contents[(device + number) % contents.count])
        )
        switch number {
        case 1, 4, 8: item.collapseID = "score"
        case 2, 6, 14: item.expiration = 0
        case 3: (item.priority, item.expiration) = (5, 4_000_000_000)
        case 7:
            item.topic = .activities
            item.payload = .object([
                "app": .string(app.rawValue), "from": .string("iPhone \(device)"),
                "activity": .object(["activityType": .string("juggling"), "userInfo": .object(["balls": .integer(3)])]),
            ])
        case 9:
            item.topic = .messages
            item.payload = .object([
                "type": .string("contactChanged"),
                "contact": .object([
                    "id": .string("božena"), "givenName": .string("Božena \(device)"),
                    "handles": .array([.string("+420602000001")]),
                ]),
            ])
        default: break
        }
        return item
    }

    private static func alert(_ number: Int, about content: String?) -> JSONValue {
        let text = JSONValue.string("Honk \(number) 🤡")
        var aps = ["alert": number.isMultiple(of: 2) ? text : .object(["title": text, "body": .string("\"\n\\")])]
        aps["target-content-id"] = content.map(JSONValue.string)
        let custom = JSONValue.array([.double(0.1), .integer(.max), .bool(true), .null])
        return .object(["aps": .object(aps), "custom": custom])
    }

    static func lines(_ items: [BatchItem]) throws -> [UInt8] {
        Array(try items.map { try JSONEncoder().encode($0) }.joined(separator: Data("\n".utf8)))
    }

    /// Returns the items of a round for all devices, with their tokens.
    func lines(of round: Int, to tokens: [DeviceToken]) throws -> [UInt8] {
        let range = (round * Self.itemsPerRound)..<((round + 1) * Self.itemsPerRound)
        try #require(tokens.count == items.count)
        return try Self.lines(
            zip(items, tokens).flatMap { items, token in
                items[range].map { $0.addressed(to: token) }
            }
        )
    }

    /// Returns the first items that arrive, as many as one batch can deliver in this order and without a loss.
    ///
    /// A transient notification may overtake others, and a notification replaces one with its collapse identifier.
    func arrivals(_ events: [DeviceEvent]) throws -> [BatchItem] {
        var items: [BatchItem] = []
        for case .notification(.notificationDelivered(let notification)) in events.prefix(while: \.isArrival) {
            let item = try #require(byID[notification.id])
            let isOvertaking = items.last?.expiration == 0 || item.expiration == 0
            let isReplacing = item.collapseID != nil && items.contains { $0.collapseID == item.collapseID }
            if !items.isEmpty, isOvertaking || isReplacing { break }
            items.append(item)
        }
        return items
    }

    /// Returns the notifications of a journal that the user sees, each once, in the order of their arrival;
    /// one replaces another with its collapse identifier.
    func visibleNotifications(in journal: [JournalEntry]) -> [NotificationID] {
        var (visible, seen): ([NotificationID], Set<NotificationID>) = ([], [])
        var collapsed: [String: NotificationID] = [:]
        for case .notification(.notificationDelivered(let notification)) in journal.map(\.event) {
            let isHidden = [.messages, .activities].contains(notification.topic)
            guard !isHidden, seen.insert(notification.id).inserted else { continue }
            if let identifier = notification.collapseID {
                let replaced = collapsed.updateValue(notification.id, forKey: "\(notification.topic) \(identifier)")
                visible.removeAll { $0 == replaced }
            }
            visible.append(notification.id)
        }
        return visible
    }

    /// Expects that a journal has only notifications for its device, and all that the device acknowledged.
    func expect(_ journal: [JournalEntry], of device: Int, matches log: [NotificationRecord]) {
        let name = Self.name(of: device)
        var description = Self.device
        description.name = name
        #expect(journal.first?.event == .system(.deviceDescribed(description)))
        let times = journal.map(\.at)
        #expect(times == times.sorted(), "\(name)")
        var arrivedIDs: Set<NotificationID> = []
        for case .notification(.notificationDelivered(let notification)) in journal.map(\.event) {
            arrivedIDs.insert(notification.id)
            let item = items[device].first { $0.id == notification.id }
            #expect(item?.payload == notification.payload && item?.topic == notification.topic, "\(name)")
        }
        #expect(log.count == items[device].count)
        let acknowledged = log.filter { $0.state == .acknowledged }.compactMap(\.id)
        #expect(arrivedIDs.isSuperset(of: acknowledged), "\(name)")
    }
}

extension DeviceEvent {
    /// Whether a notification arrives.
    var isArrival: Bool {
        if case .notification(.notificationDelivered) = self { true } else { false }
    }
}

extension BatchItem {
    /// Returns the item for the device with a token.
    func addressed(to token: DeviceToken) -> Self {
        var item = self
        item.token = token
        return item
    }
}
