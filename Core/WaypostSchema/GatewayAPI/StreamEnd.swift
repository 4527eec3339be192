/// The reason why an event stream ends: the `data` of its last event, `end`.
public struct StreamEnd: Codable, Sendable, Equatable {
    /// The reasons for the end of a stream; unknown values are kept.
    public struct Reason: StringIdentifier {
        /// The reason's name.
        public var rawValue: String

        /// Creates the reason named `rawValue`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Another stream was opened with the same secret.
        public static let replaced: Self = "replaced"

        /// The gateway is shutting down.
        public static let shuttingDown: Self = "shuttingDown"

        /// The namespace was reset.
        public static let reset: Self = "reset"

        /// The gateway could not read the next events.
        public static let failed: Self = "failed"

        /// An operator ended the stream.
        public static let disconnected: Self = "disconnected"

        /// The client sent something else than an acknowledgement in the body of its request.
        public static let malformedAcknowledgement: Self = "malformedAcknowledgement"

        /// The client did not read, or was too slow for events that are not kept for it.
        public static let tooSlow: Self = "tooSlow"
    }

    /// The reason.
    public var reason: Reason

    /// A human-readable description, which says what to do.
    public var message: String

    /// Creates the value from its parts.
    public init(reason: Reason, message: String) {
        self.reason = reason
        self.message = message
    }
}
