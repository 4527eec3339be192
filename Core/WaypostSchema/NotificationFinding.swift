/// Something unusual about a notification that was accepted all the same.
public struct NotificationFinding: Codable, Sendable, Hashable {
    /// What kinds there are; those that this version does not know are kept.
    public struct Code: StringIdentifier {
        /// The word.
        public var rawValue: String

        /// Creates the code spelled `rawValue`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// There is no push type, and an alert was assumed.
        public static let missingPushType: Self = "missingPushType"

        /// A background push has priority 10.
        public static let backgroundPriority: Self = "backgroundPriority"

        /// A background push has something to show, or does not say that content is available.
        public static let backgroundContent: Self = "backgroundContent"

        /// A channel is managed in another way than APNs documents.
        public static let channelDialect: Self = "channelDialect"

        /// The body is compressed.
        public static let compressedBody: Self = "compressedBody"

        /// The payload has no `aps` dictionary.
        public static let missingAps: Self = "missingAps"

        /// The `aps` dictionary has a key that is not Apple's: it is ignored there.
        public static let unknownApsKey: Self = "unknownApsKey"

        /// A value in the `aps` dictionary is not of its type.
        public static let wrongApsValue: Self = "wrongApsValue"

        /// A name stands twice in an object.
        public static let repeatedKey: Self = "repeatedKey"

        /// The target content identifier is neither a URL nor an identifier.
        public static let targetContentIdentifier: Self = "targetContentIdentifier"
    }

    /// What kind it is.
    public var code: Code

    /// The same for a person, with what would be usual.
    public var message: String

    /// Creates the value from its parts.
    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }
}
