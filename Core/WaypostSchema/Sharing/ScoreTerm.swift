/// One term of a suggestion score.
public struct ScoreTerm: Codable, Sendable, Equatable {
    /// The signals that contribute to a score.
    public enum Signal: String, StringEnum {
        /// The time of the last share.
        case recency

        /// The number of contacts who shared the item.
        case sharers

        /// Whether the item is pinned.
        case pinned

        /// Whether the user interacted with the item.
        case interacted

        /// Whether the user started to consume the item.
        case started

        /// Whether the user has consumed the item.
        case consumed

        /// The number of times that the item was shown and ignored.
        case ignored
    }

    /// The signal.
    public var signal: Signal

    /// The points added; negative if subtracted.
    public var points: Int

    /// A human-readable reason.
    public var explanation: String

    /// Creates the value from its parts.
    public init(signal: Signal, points: Int, explanation: String) {
        self.signal = signal
        self.points = points
        self.explanation = explanation
    }
}
