/// A run of scenarios, a load test, a fleet or trials of a provider that reports to a gateway.
///
/// The console of the gateway shows it.
public struct ReportedRun: Codable, Sendable, Equatable {
    /// The identifier.
    public var id: RunID

    /// The kind of run.
    public var kind: RunKind

    /// The name, such as that of a file.
    public var name: String

    /// The time at which the run was announced.
    public var startedAt: Timestamp

    /// The time at which the run ended; absent while it goes on.
    public var endedAt: Timestamp?

    /// The outcome of the run; absent while it goes on.
    public var outcome: RunOutcome?

    /// The number of events that the gateway has.
    public var events: Int

    /// The number of further events, for which there was no room.
    public var omitted: Int

    /// Creates the value from its parts.
    public init(
        id: RunID,
        kind: RunKind,
        name: String,
        startedAt: Timestamp,
        endedAt: Timestamp? = nil,
        outcome: RunOutcome? = nil,
        events: Int = 0,
        omitted: Int = 0
    ) {
        self.id = id
        self.kind = kind
        self.name = name
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.outcome = outcome
        self.events = events
        self.omitted = omitted
    }
}
