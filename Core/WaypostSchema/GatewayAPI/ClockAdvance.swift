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
