/// A device of an agent, as the control API returns it.
public struct DeviceStatus: Codable, Sendable, Equatable {
    /// The device's name.
    public var name: String

    /// The device's token; absent until the device is registered.
    public var token: DeviceToken?

    /// Whether the device's stream from the gateway is open.
    public var isConnected: Bool

    /// The number of notifications on the device.
    public var notifications: Int

    /// Creates the value from its parts.
    public init(name: String, token: DeviceToken? = nil, isConnected: Bool, notifications: Int) {
        self.name = name
        self.token = token
        self.isConnected = isConnected
        self.notifications = notifications
    }
}

/// A request to add devices to an agent.
public struct DeviceCreation: Codable, Sendable, Equatable {
    /// The description of each device; `{n}` in its name stands for the number of the device, from 1.
    public var device: DeviceDescription

    /// The number of devices, from 1 to 10,000; 1 if absent.
    public var count: Int?

    /// Creates the value from its parts.
    public init(device: DeviceDescription, count: Int? = nil) {
        self.device = device
        self.count = count
    }
}

/// A notification on a device, as the control API returns it.
public struct DeviceNotification: Codable, Sendable, Equatable {
    /// The notification's identifier.
    public var id: NotificationID

    /// The topic of the app that the notification is for.
    public var topic: Topic

    /// The notification's title, or its text if it has no title.
    public var title: String?

    /// The line below the title; absent if there is none.
    public var subtitle: String?

    /// The text; absent if there is none.
    public var body: String?

    /// The group among the notifications of the app, from `aps.thread-id`; absent if there is none.
    public var threadIdentifier: String?

    /// The category, from `aps.category`; absent if there is none.
    public var categoryIdentifier: String?

    /// The importance; absent for *active*.
    public var interruptionLevel: InterruptionLevel?

    /// The place in a summary, from 0 to 1; absent if the payload has none.
    public var relevanceScore: Double?

    /// The place in which the notification appeared; absent from agents before this member existed.
    public var presentation: NotificationDecision.Presentation?

    /// The name of the image or storyboard that the app shows while it starts; absent if the payload has none.
    public var launchImageName: String?

    /// The notification with the same collapse identifier that this one replaced; absent if there was none.
    public var replaced: NotificationID?

    /// The target content identifier, from `aps.target-content-id`.
    public var targetContentIdentifier: TargetContentIdentifier?

    /// The time at which the device applied the notification.
    public var receivedAt: Timestamp

    /// The time at which the notification was first opened; absent if it was not opened.
    public var openedAt: Timestamp?

    /// The place in the sender's trace; absent if the sender gave none.
    public var traceparent: TraceParent?

    /// Creates the value from its parts.
    public init(
        id: NotificationID,
        topic: Topic,
        title: String? = nil,
        targetContentIdentifier: TargetContentIdentifier? = nil,
        receivedAt: Timestamp,
        openedAt: Timestamp? = nil,
        traceparent: TraceParent? = nil
    ) {
        self.traceparent = traceparent
        self.id = id
        self.topic = topic
        self.title = title
        self.targetContentIdentifier = targetContentIdentifier
        self.receivedAt = receivedAt
        self.openedAt = openedAt
    }
}

/// The result of opening a notification on a device.
public struct OpenedNotification: Codable, Sendable, Equatable {
    /// The device's name.
    public var device: String

    /// The app that was opened.
    public var app: BundleIdentifier

    /// The notification that was opened.
    public var notification: DeviceNotification

    /// The scene that was opened, whether chosen or new.
    public var scene: SceneIdentifier

    /// The choice of the scene, with its explanation.
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
