/// The reading of a namespace's clock.
public struct ClockReading: Codable, Sendable, Equatable {
    /// The kinds of clocks of a gateway.
    public enum Source: String, Codable, Sendable, CaseIterable {
        /// The system's clock.
        case system

        /// A clock that moves only on request.
        case manual
    }

    /// The current time.
    public var now: Timestamp

    /// The kind of clock.
    public var clock: Source

    /// Creates the value from its parts.
    public init(now: Timestamp, clock: Source) {
        self.now = now
        self.clock = clock
    }
}

/// A request to move a manual clock forward, by a duration or to a time; exactly one of the two.
public struct ClockAdvance: Codable, Sendable, Equatable {
    /// The duration in milliseconds, at least 0.
    public var by: Int?

    /// The time to move to, not before the current time.
    public var to: Timestamp?

    /// Creates the value from its parts.
    public init(by: Int? = nil, to: Timestamp? = nil) {
        self.by = by
        self.to = to
    }
}

/// A namespace of a gateway.
public struct NamespaceSummary: Codable, Sendable, Equatable {
    /// The name.
    public var name: Namespace

    /// The number of devices registered in the namespace, whatever the standing of their tokens.
    public var devices: Int

    /// The number of notifications in the inboxes of the namespace.
    public var stored: Int

    /// The time at which the oldest of them was accepted; absent if there is none.
    public var oldest: Timestamp?

    /// Creates the value from its parts.
    public init(name: Namespace, devices: Int, stored: Int, oldest: Timestamp? = nil) {
        self.name = name
        self.devices = devices
        self.stored = stored
        self.oldest = oldest
    }
}
