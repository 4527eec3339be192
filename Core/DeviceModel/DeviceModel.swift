internal import Targeting
internal import UniversalLinks
public import WaypostSchema

/// One device as a value: its apps, their scenes and the notifications it has.
///
/// Nothing happens but through `apply`, and time passes only as its argument, so the same events give the same device.
public struct DeviceModel: Sendable {
    /// The device's name.
    public let name: String

    private(set) var apps: [BundleIdentifier: InstalledApp]
    private var received: [NotificationID: DeviceNotification] = [:]
    private var order: [NotificationID] = []
    private(set) var associations: AssociationBook
    private let development: [String: String]?

    /// Creates a device as `description` has it.
    ///
    /// - Throws: `DescriptionFault` naming the app and the scene that cannot be used.
    public init(_ description: DeviceDescription) throws(DescriptionFault) {
        guard !description.name.isEmpty else { throw .noName }
        name = description.name
        development = description.associatedDomainsDevelopment
        apps = [:]
        for app in description.apps {
            guard apps[app.bundleIdentifier] == nil else { throw .repeatedApp(app.bundleIdentifier) }
            apps[app.bundleIdentifier] = try InstalledApp(app, allowsDevelopment: development != nil)
        }
        associations = AssociationBook(apps.values.compactMap(\.association))
    }

    /// The topics that the device takes notifications for, sorted.
    public var topics: [Topic] {
        apps.keys.map { Topic(rawValue: $0.rawValue) }.sorted { $0.rawValue < $1.rawValue }
    }

    /// The notifications that the device has, in the order of their arrival.
    public var notifications: [DeviceNotification] {
        order.compactMap { received[$0] }
    }

    /// The device as it is now: scenes have the states that what happened gave them.
    public var description: DeviceDescription {
        let descriptions = apps.values.map(\.description)
        return DeviceDescription(
            name: name,
            apps: descriptions.sorted { $0.bundleIdentifier.rawValue < $1.bundleIdentifier.rawValue },
            associatedDomainsDevelopment: development
        )
    }

    /// Lets `event` happen at `now`.
    ///
    /// - Returns: what the device does about it; at least one effect.
    public mutating func apply(_ event: DeviceEvent, at now: Timestamp) -> [DeviceEffect] {
        switch event {
        case .notificationDelivered(let notification): [receive(notification, at: now)]
        case .notificationOpened(let id): [open(id, at: now)]
        case .associationChecked(let domain, let source, let result):
            [.associationUpdated(associations.take(result, of: domain, from: source, at: now))]
        }
    }

    private mutating func receive(_ notification: DeliveredNotification, at now: Timestamp) -> DeviceEffect {
        guard received[notification.id] == nil else { return .repetitionIgnored(notification.id) }
        guard apps[BundleIdentifier(rawValue: notification.topic.rawValue)] != nil else {
            return .notificationDiscarded(notification.id, notification.topic)
        }
        let content = NotificationContent(payload: notification.payload)
        let kept = DeviceNotification(
            id: notification.id,
            topic: notification.topic,
            title: content.title ?? content.body,
            targetContentIdentifier: content.targetContentIdentifier,
            receivedAt: now
        )
        received[kept.id] = kept
        order.append(kept.id)
        return .notificationPosted(kept)
    }

    private mutating func open(_ id: NotificationID, at now: Timestamp) -> DeviceEffect {
        guard var notification = received[id] else { return .nothingToOpen(id) }
        let bundleIdentifier = BundleIdentifier(rawValue: notification.topic.rawValue)
        guard var app = apps[bundleIdentifier] else { return .nothingToOpen(id) }
        let decision = app.select(for: notification.targetContentIdentifier)
        for other in apps.keys where other != bundleIdentifier { apps[other]?.leaveForeground() }
        app.leaveForeground()
        let scene = app.activate(decision, at: now)
        apps[bundleIdentifier] = app
        notification.openedAt = notification.openedAt ?? now
        received[id] = notification
        return .sceneActivated(
            OpenedNotification(
                device: name,
                app: bundleIdentifier,
                notification: notification,
                scene: scene,
                decision: decision
            )
        )
    }
}
