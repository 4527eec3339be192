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
