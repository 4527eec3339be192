/// The decision about a notification for a Live Activity, with the reasons.
public struct LiveActivityDecision: Codable, Sendable, Equatable {
    /// The outcomes.
    public enum Outcome: String, StringEnum {
        /// A Live Activity was started.
        case started

        /// The content of a Live Activity changed.
        case updated

        /// A Live Activity was ended.
        case ended

        /// Nothing changed.
        case ignored
    }

    /// The outcome.
    public var outcome: Outcome

    /// The Live Activity, named by the notification that started it; absent if nothing changed.
    public var activity: NotificationID?

    /// The verdict of each gate, in their order.
    public var gates: [NotificationVerdict]

    /// A human-readable sentence.
    public var explanation: String

    /// Creates the value from its parts.
    public init(
        outcome: Outcome,
        activity: NotificationID? = nil,
        gates: [NotificationVerdict],
        explanation: String
    ) {
        self.outcome = outcome
        self.activity = activity
        self.gates = gates
        self.explanation = explanation
    }
}
