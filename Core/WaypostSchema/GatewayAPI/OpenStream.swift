/// An open event stream of a gateway.
public struct OpenStream: Codable, Sendable, Equatable {
    /// The number of the stream's agent, which identifies the stream.
    public var agent: Int

    /// The active devices of the agent, in the order of their tokens.
    public var devices: [StreamDevice]

    /// The time since the stream was opened, in milliseconds, on the clock of the machine.
    public var age: Int

    /// The number of notifications that were sent and are not acknowledged.
    public var unacknowledged: Int

    /// Whether the inbox has notifications, or may have, that the stream has not sent.
    public var behind: Bool

    /// Creates the value from its parts.
    public init(agent: Int, devices: [StreamDevice], age: Int, unacknowledged: Int, behind: Bool) {
        self.agent = agent
        self.devices = devices
        self.age = age
        self.unacknowledged = unacknowledged
        self.behind = behind
    }
}
