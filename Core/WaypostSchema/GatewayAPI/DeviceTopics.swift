/// A request to change the topics for which a device receives notifications.
public struct DeviceTopics: Codable, Sendable, Equatable {
    /// The new topics.
    public var topics: [Topic]

    /// Creates the value from its parts.
    public init(topics: [Topic]) {
        self.topics = topics
    }
}
