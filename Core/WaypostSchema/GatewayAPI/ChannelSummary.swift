/// A broadcast channel, as the service listener lists it.
public struct ChannelSummary: Codable, Sendable, Equatable {
    /// The identifier.
    public var id: ChannelID

    /// The app.
    public var app: Topic

    /// The environment; absent if it is unknown.
    public var environment: PushEnvironment?

    /// Whether the gateway keeps the newest message for devices that are not connected.
    public var storesNewest: Bool

    /// Creates the value from its parts.
    public init(id: ChannelID, app: Topic, environment: PushEnvironment? = nil, storesNewest: Bool) {
        self.id = id
        self.app = app
        self.environment = environment
        self.storesNewest = storesNewest
    }
}
