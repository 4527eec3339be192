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
