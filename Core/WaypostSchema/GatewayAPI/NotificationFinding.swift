/// A finding about an accepted notification that is unusual.
public struct NotificationFinding: Codable, Sendable, Hashable {
    /// The kinds of findings; unknown ones are kept.
    public struct Code: StringIdentifier {
        /// The code.
        public var rawValue: String

        /// Creates the code named `rawValue`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The push type is missing, so `alert` was assumed.
        public static let missingPushType: Self = "missingPushType"

        /// A background push has priority 10.
        public static let backgroundPriority: Self = "backgroundPriority"

        /// A background push contains an alert, a badge or a sound, or lacks `content-available`.
        public static let backgroundContent: Self = "backgroundContent"

        /// A request manages a channel in a way that APNs does not document.
        public static let channelDialect: Self = "channelDialect"

        /// The body is compressed.
        public static let compressedBody: Self = "compressedBody"

        /// The payload has no `aps` dictionary.
        public static let missingAps: Self = "missingAps"

        /// The `aps` dictionary has a key that Apple does not define; it is ignored.
        public static let unknownApsKey: Self = "unknownApsKey"

        /// A value in the `aps` dictionary has the wrong type.
        public static let wrongApsValue: Self = "wrongApsValue"

        /// The `traceparent` header of the request is not valid, so the notification has no trace.
        public static let invalidTraceparent: Self = "invalidTraceparent"

        /// The provider token is signed with ES512.
        public static let providerTokenAlgorithm: Self = "providerTokenAlgorithm"

        /// The key of the provider token had another new token on another connection less than 20 minutes ago.
        public static let providerTokenChurn: Self = "providerTokenChurn"

        /// An object has the same key twice.
        public static let repeatedKey: Self = "repeatedKey"

        /// The target content identifier is neither a URL nor an identifier.
        public static let targetContentIdentifier: Self = "targetContentIdentifier"
    }

    /// The kind of finding.
    public var code: Code

    /// A human-readable description, which says what is usual.
    public var message: String

    /// Creates the value from its parts.
    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }
}
