/// How the gateway keeps an app's notifications for a device that does not take them at once.
public enum StorageMode: String, Codable, Sendable, CaseIterable {
    /// All of them, in a queue for each device; only a collapse identifier replaces.
    case lossless

    /// The newest for each device, for 30 days at most, as APNs does.
    case apns
}

/// What the gateway does for an app.
public struct AppSettings: Codable, Sendable, Equatable {
    /// The app's topic.
    public var topic: Topic

    /// How its notifications are kept.
    public var storage: StorageMode

    /// Creates the value from its parts.
    public init(topic: Topic, storage: StorageMode) {
        self.topic = topic
        self.storage = storage
    }
}

/// A request to change what the gateway does for an app.
public struct AppSettingsChange: Codable, Sendable, Equatable {
    /// How its notifications are kept from now on.
    public var storage: StorageMode

    /// Creates the value from its parts.
    public init(storage: StorageMode) {
        self.storage = storage
    }
}
