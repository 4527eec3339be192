/// A device that receives notifications by the stream.
public struct StreamDevice: Codable, Sendable, Equatable {
    /// The device's token.
    public var token: DeviceToken

    /// The device's name, for display.
    public var name: String

    /// Creates the value from its parts.
    public init(token: DeviceToken, name: String) {
        self.token = token
        self.name = name
    }
}

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

/// A part of the list of the open streams of a namespace at one gateway.
public struct StreamPage: Codable, Sendable, Equatable {
    /// The streams, in the order of their agents.
    public var streams: [OpenStream]

    /// The agent after whose stream the next page begins; absent if this is the last one.
    public var next: Int?

    /// Creates the value from its parts.
    public init(streams: [OpenStream], next: Int? = nil) {
        self.streams = streams
        self.next = next
    }
}
