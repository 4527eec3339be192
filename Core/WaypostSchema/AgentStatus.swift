/// A device of an agent, as its control API shows it.
public struct DeviceStatus: Codable, Sendable, Equatable {
    /// The device's name.
    public var name: String

    /// The device's token; absent until it is registered.
    public var token: DeviceToken?

    /// Whether its stream from the gateway is open.
    public var isConnected: Bool

    /// How many notifications it has.
    public var notifications: Int

    /// Creates the value from its parts.
    public init(name: String, token: DeviceToken? = nil, isConnected: Bool, notifications: Int) {
        self.name = name
        self.token = token
        self.isConnected = isConnected
        self.notifications = notifications
    }
}

/// A notification that a device has, as its control API shows it.
public struct DeviceNotification: Codable, Sendable, Equatable {
    /// The notification's identifier.
    public var id: NotificationID

    /// The app it is for.
    public var topic: Topic

    /// Its title, or its text where it has no title.
    public var title: String?

    /// What it is about, from `aps.target-content-id`.
    public var targetContentIdentifier: TargetContentIdentifier?

    /// When the device applied it.
    public var receivedAt: Timestamp

    /// When it was first opened.
    public var openedAt: Timestamp?

    /// Creates the value from its parts.
    public init(
        id: NotificationID,
        topic: Topic,
        title: String? = nil,
        targetContentIdentifier: TargetContentIdentifier? = nil,
        receivedAt: Timestamp,
        openedAt: Timestamp? = nil
    ) {
        self.id = id
        self.topic = topic
        self.title = title
        self.targetContentIdentifier = targetContentIdentifier
        self.receivedAt = receivedAt
        self.openedAt = openedAt
    }
}

/// What happened when a notification was opened on a device.
public struct OpenedNotification: Codable, Sendable, Equatable {
    /// The device's name.
    public var device: String

    /// The app that was opened.
    public var app: BundleIdentifier

    /// The notification.
    public var notification: DeviceNotification

    /// The scene that was opened: the one chosen, or the one made.
    public var scene: SceneIdentifier

    /// Which scene was chosen, and why.
    public var decision: SceneDecision

    /// Creates the value from its parts.
    public init(
        device: String,
        app: BundleIdentifier,
        notification: DeviceNotification,
        scene: SceneIdentifier,
        decision: SceneDecision
    ) {
        self.device = device
        self.app = app
        self.notification = notification
        self.scene = scene
        self.decision = decision
    }
}
