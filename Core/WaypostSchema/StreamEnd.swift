/// Why an event stream ends: the `data` of its last event, `end`.
public struct StreamEnd: Codable, Sendable, Equatable {
    /// Why streams end; values that this version does not know are kept.
    public struct Reason: StringIdentifier {
        /// The reason's name.
        public var rawValue: String

        /// Creates the reason named `rawValue`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Another stream was opened with the same secret.
        public static let replaced: Self = "replaced"

        /// The gateway shuts down.
        public static let shuttingDown: Self = "shuttingDown"

        /// The namespace was reset.
        public static let reset: Self = "reset"

        /// The gateway could not read what comes next.
        public static let failed: Self = "failed"

        /// The reader did not read, or did not keep up with what is not kept for it.
        public static let tooSlow: Self = "tooSlow"
    }

    /// The reason.
    public var reason: Reason

    /// The same for a person, with what to do.
    public var message: String

    /// Creates the value from its parts.
    public init(reason: Reason, message: String) {
        self.reason = reason
        self.message = message
    }
}
