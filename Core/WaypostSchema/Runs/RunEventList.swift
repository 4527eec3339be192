/// Events of a run, in order: what a program reports, and a page of what the gateway has.
public struct RunEventList: Codable, Sendable, Equatable {
    /// The events.
    public var events: [RunEvent]

    /// Creates the value from its parts.
    public init(events: [RunEvent]) {
        self.events = events
    }
}
