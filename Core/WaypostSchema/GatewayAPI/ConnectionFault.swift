/// A fault that happens at once on every open connection of providers, to test how a provider copes.
public struct ConnectionFault: Codable, Sendable, Equatable {
    /// The kinds of faults.
    public enum Kind: String, StringEnum {
        /// The gateway sends `frames` GOAWAY frames with `reason`, and answers what has arrived; with `keepsOpen`, it
        /// does not close the socket.
        case goAway

        /// The gateway reads and answers nothing any more, and closes nothing: the connection looks alive.
        case silence

        /// The gateway announces `streams` concurrent streams, also on later connections; absent for its setting.
        case limitStreams

        /// The gateway answers every further request for a device on these connections.
        ///
        /// The answer has `reason`, or `status` and no body.
        case respond
    }

    /// The kind of fault.
    public var kind: Kind

    /// The reason of `goAway`, `Shutdown` if absent, and of `respond`.
    ///
    /// An answer of `respond` without it has no body, and needs `status`.
    public var reason: RejectionReason?

    /// The status of `respond`; the status that belongs to the reason if absent.
    public var status: Int?

    /// The number of frames that `goAway` sends, 1 or 2; 1 if absent.
    public var frames: Int?

    /// Whether the socket stays open after `goAway`; if absent, it closes when everything is answered.
    public var keepsOpen: Bool?

    /// The number of streams of `limitStreams`.
    public var streams: Int?

    /// Creates the value from its parts.
    public init(
        _ kind: Kind,
        reason: RejectionReason? = nil,
        status: Int? = nil,
        frames: Int? = nil,
        keepsOpen: Bool? = nil,
        streams: Int? = nil
    ) {
        self.kind = kind
        self.reason = reason
        self.status = status
        self.frames = frames
        self.keepsOpen = keepsOpen
        self.streams = streams
    }
}

/// The number of connections that a fault has reached.
public struct ConnectionFaultReceipt: Codable, Sendable, Equatable {
    /// The number of connections.
    public var connections: Int

    /// Creates the value from its parts.
    public init(connections: Int) {
        self.connections = connections
    }
}
