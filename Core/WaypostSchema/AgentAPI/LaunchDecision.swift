/// The decision whether a notification starts its app or a receiver of it in the background, with the reasons.
public struct LaunchDecision: Codable, Sendable, Equatable {
    /// The outcomes.
    public enum Outcome: String, StringEnum {
        /// The app or its extension was started, or called in the background.
        case launched

        /// The app was in the foreground, and was called there.
        case delivered

        /// It waits, and a newer one replaces it.
        case held

        /// The app does not receive it.
        case dropped
    }

    /// The outcome.
    public var outcome: Outcome

    /// The verdict of each gate, in their order.
    public var gates: [NotificationVerdict]

    /// A human-readable sentence.
    public var explanation: String

    /// The result that the app gave; absent if it has not finished, or did not do so in time.
    public var fetchResult: AppCallResult.FetchResult?

    /// The receiver of the push; absent for a background update or a call.
    public var receiver: PushReceiver?

    /// Creates the value from its parts.
    public init(
        outcome: Outcome,
        gates: [NotificationVerdict],
        explanation: String,
        receiver: PushReceiver? = nil
    ) {
        self.receiver = receiver
        self.outcome = outcome
        self.gates = gates
        self.explanation = explanation
    }
}
