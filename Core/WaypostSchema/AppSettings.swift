/// The way the gateway stores an app's notifications for a device that cannot receive them at once.
public enum StorageMode: String, Codable, Sendable, CaseIterable {
    /// All notifications, in a queue per device; only a notification with the same collapse identifier replaces one.
    case lossless

    /// The newest notification for each device, for at most 30 days, as APNs does.
    case apns
}

/// The settings of an app in the gateway.
public struct AppSettings: Codable, Sendable, Equatable {
    /// The app's topic.
    public var topic: Topic

    /// The way the app's notifications are stored.
    public var storage: StorageMode

    /// Creates the value from its parts.
    public init(topic: Topic, storage: StorageMode) {
        self.topic = topic
        self.storage = storage
    }
}

/// A request to change the settings of an app.
public struct AppSettingsChange: Codable, Sendable, Equatable {
    /// The new way to store the app's notifications.
    public var storage: StorageMode

    /// Creates the value from its parts.
    public init(storage: StorageMode) {
        self.storage = storage
    }
}
