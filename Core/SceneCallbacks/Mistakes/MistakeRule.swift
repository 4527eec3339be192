internal import WaypostSchema

/// A row of the table of mistakes.
struct MistakeRule: Sendable {
    /// The code.
    let code: MistakeCode

    /// The causes that it concerns.
    let causes: Set<EventCause>

    /// The states in which it shows.
    let states: Set<InitialState>

    /// The major versions of iOS in which it shows; `nil` for all.
    let systems: Set<Int>?

    /// The facts that must be true.
    let has: [AppFact]

    /// The facts that must be false.
    let lacks: [AppFact]

    /// The sentence for people.
    let message: String

    /// The source.
    let source: CallbackSource

    init(
        _ code: MistakeCode,
        causes: Set<EventCause>,
        states: Set<InitialState> = .all,
        systems: Set<Int>? = nil,
        has: [AppFact],
        lacks: [AppFact] = [],
        message: String,
        source: CallbackSource
    ) {
        self.code = code
        self.causes = causes
        self.states = states
        self.systems = systems
        self.has = has
        self.lacks = lacks
        self.message = message
        self.source = source
    }
}
