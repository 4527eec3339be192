/// What a namespace's clock shows.
public struct ClockReading: Codable, Sendable, Equatable {
    /// Where a gateway takes the time from.
    public enum Source: String, Codable, Sendable, CaseIterable {
        /// The system's clock.
        case system

        /// A clock that moves when it is told to.
        case manual
    }

    /// The present moment.
    public var now: Timestamp

    /// Where it comes from.
    public var clock: Source

    /// Creates the value from its parts.
    public init(now: Timestamp, clock: Source) {
        self.now = now
        self.clock = clock
    }
}

/// A request to move a manual clock forward: by a time, or to a moment; exactly one of the two.
public struct ClockAdvance: Codable, Sendable, Equatable {
    /// The milliseconds to move by, at least 0.
    public var by: Int?

    /// The moment to move to, not before the present one.
    public var to: Timestamp?

    /// Creates the value from its parts.
    public init(by: Int? = nil, to: Timestamp? = nil) {
        self.by = by
        self.to = to
    }
}

/// A namespace of a gateway.
public struct NamespaceSummary: Codable, Sendable, Equatable {
    /// Its name.
    public var name: Namespace

    /// How many devices are registered in it, whatever their standing.
    public var devices: Int

    /// How many notifications are in its inboxes.
    public var stored: Int

    /// When the oldest of them was accepted; absent where there is none.
    public var oldest: Timestamp?

    /// Creates the value from its parts.
    public init(name: Namespace, devices: Int, stored: Int, oldest: Timestamp? = nil) {
        self.name = name
        self.devices = devices
        self.stored = stored
        self.oldest = oldest
    }
}
