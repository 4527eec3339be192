/// A connection of a provider, which the gateway remembers for tests of the provider.
public struct ProviderConnectionRecord: Codable, Sendable, Equatable {
    /// The number of the connection, counted over all namespaces since the gateway started.
    public var number: Int

    /// The time at which the connection was opened, by the system's clock.
    public var openedAt: Timestamp

    /// The time at which the connection was closed; absent while it is open.
    public var closedAt: Timestamp?

    /// The protocol.
    public var version: ProviderProtocol

    /// The number of requests to devices on the connection.
    public var requests: Int

    /// The highest number of streams that were open when a request arrived; 0 for HTTP/1.1.
    public var highestStreams: Int

    /// The provider tokens on the connection, in the order of their first use.
    public var tokens: [ProviderTokenUse]

    /// The events of the connection, in order: the last 100, without the first PINGs if there are more.
    public var events: [ProviderConnectionEvent]

    /// Creates the value from its parts.
    public init(
        number: Int,
        openedAt: Timestamp,
        closedAt: Timestamp? = nil,
        version: ProviderProtocol,
        requests: Int = 0,
        highestStreams: Int = 0,
        tokens: [ProviderTokenUse] = [],
        events: [ProviderConnectionEvent] = []
    ) {
        self.number = number
        self.openedAt = openedAt
        self.closedAt = closedAt
        self.version = version
        self.requests = requests
        self.highestStreams = highestStreams
        self.tokens = tokens
        self.events = events
    }
}

/// The protocols of a provider's connection.
public enum ProviderProtocol: String, StringEnum {
    /// HTTP/2.
    case http2

    /// HTTP/1.1.
    case http1
}

/// The use of a provider token on a connection.
public struct ProviderTokenUse: Codable, Sendable, Equatable {
    /// The number of the provider token; equal texts have the same number on every connection.
    public var number: Int

    /// The team that the token names; absent if the token cannot be read.
    public var team: TeamID?

    /// The key that the token names; absent if the token cannot be read.
    public var key: ProviderKeyID?

    /// The `iat` of the token; absent if the token cannot be read.
    public var issuedAt: Timestamp?

    /// The time of the first request with the token on this connection, by the system's clock.
    public var firstUsedAt: Timestamp

    /// The time of the last request with the token on this connection, by the system's clock.
    public var lastUsedAt: Timestamp

    /// The number of requests with the token on this connection.
    public var requests: Int

    /// Creates the value from its parts.
    public init(
        number: Int,
        team: TeamID? = nil,
        key: ProviderKeyID? = nil,
        issuedAt: Timestamp? = nil,
        firstUsedAt: Timestamp,
        lastUsedAt: Timestamp,
        requests: Int = 1
    ) {
        self.number = number
        self.team = team
        self.key = key
        self.issuedAt = issuedAt
        self.firstUsedAt = firstUsedAt
        self.lastUsedAt = lastUsedAt
        self.requests = requests
    }
}

/// An event of a provider's connection.
public struct ProviderConnectionEvent: Codable, Sendable, Equatable {
    /// The kinds of events.
    public enum Kind: String, StringEnum {
        /// The gateway announced a limit of streams.
        case streamLimit

        /// The gateway sent GOAWAY.
        case goAway

        /// The gateway stopped reading and answering.
        case silenced

        /// The provider sent a PING frame.
        case ping
    }

    /// The kind.
    public var kind: Kind

    /// The time, by the system's clock.
    public var at: Timestamp

    /// The announced limit of streams.
    public var streams: Int?

    /// The reason in a GOAWAY frame.
    public var reason: RejectionReason?

    /// Creates the value from its parts.
    public init(_ kind: Kind, at: Timestamp, streams: Int? = nil, reason: RejectionReason? = nil) {
        self.kind = kind
        self.at = at
        self.streams = streams
        self.reason = reason
    }
}
