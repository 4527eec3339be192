/// A finding about a notification that is unusual.
public struct NotificationFinding: Codable, Sendable, Hashable {
    /// The kinds of findings; unknown ones are kept.
    public struct Code: StringIdentifier {
        /// The code.
        public var rawValue: String

        /// Creates the code named `rawValue`.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        // MARK: The request

        /// The push type is missing, so `alert` was assumed.
        public static let missingPushType: Self = "missingPushType"

        /// The topic belongs to another push type.
        public static let topicOfOtherPushType: Self = "topicOfOtherPushType"

        /// The topic has a suffix, and the token is for other topics, too.
        public static let sharedToken: Self = "sharedToken"

        /// The sender identified itself in a way that the push type does not allow.
        public static let pushTypeAuthentication: Self = "pushTypeAuthentication"

        /// A background push has priority 10.
        public static let backgroundPriority: Self = "backgroundPriority"

        /// A push to talk has another priority than 10, or its service update has 10.
        public static let pushToTalkPriority: Self = "pushToTalkPriority"

        /// An update of a Live Activity has priority 10, which counts against its budget.
        public static let liveActivityPriority: Self = "liveActivityPriority"

        /// The topic of a push to an MDM client is not that of an MDM certificate.
        public static let mdmTopic: Self = "mdmTopic"

        /// The priority has a sign or a leading zero.
        public static let unusualPriority: Self = "unusualPriority"

        /// The expiration has a sign or a leading zero.
        public static let unusualExpiration: Self = "unusualExpiration"

        /// The expiration is not in seconds since 1970, but in seconds from now.
        public static let relativeExpiration: Self = "relativeExpiration"

        /// The expiration is in milliseconds.
        public static let expirationInMilliseconds: Self = "expirationInMilliseconds"

        /// The expiration has passed.
        public static let pastExpiration: Self = "pastExpiration"

        /// The expiration is missing.
        public static let missingExpiration: Self = "missingExpiration"

        /// It was delivered after a wait during which a newer one arrived, which alone APNs would have delivered.
        public static let onlyNewest: Self = "onlyNewest"

        /// A call or a transmission may arrive when it is over, because it has a late expiration or none.
        public static let lateExpiration: Self = "lateExpiration"

        /// The `apns-id` has uppercase letters.
        public static let uppercaseID: Self = "uppercaseID"

        /// The request has a header that only answers have.
        public static let ignoredHeader: Self = "ignoredHeader"

        /// A request manages a channel in a way that APNs does not document.
        public static let channelDialect: Self = "channelDialect"

        /// The body is compressed.
        public static let compressedBody: Self = "compressedBody"

        /// The `traceparent` header of the request is not valid, so the notification has no trace.
        public static let invalidTraceparent: Self = "invalidTraceparent"

        /// The provider token is signed with ES512.
        public static let providerTokenAlgorithm: Self = "providerTokenAlgorithm"

        /// The key of the provider token had another new token on another connection less than 20 minutes ago.
        public static let providerTokenChurn: Self = "providerTokenChurn"

        // MARK: The payload

        /// The payload has no `aps` dictionary.
        public static let missingAps: Self = "missingAps"

        /// A key that the push type requires is missing.
        public static let missingKey: Self = "missingKey"

        /// A key has no effect in a push of this type.
        public static let ignoredKey: Self = "ignoredKey"

        /// A key belongs to another push type.
        public static let keyOfOtherPushType: Self = "keyOfOtherPushType"

        /// A key is in the wrong object.
        public static let misplacedKey: Self = "misplacedKey"

        /// A key is spelled almost like one that Apple defines.
        public static let misspelledKey: Self = "misspelledKey"

        /// The `aps` dictionary has a key that Apple does not define; it is ignored.
        public static let unknownApsKey: Self = "unknownApsKey"

        /// A dictionary in `aps` has a key that Apple does not define; it is ignored.
        public static let unknownKey: Self = "unknownKey"

        /// An object has the same key twice.
        public static let repeatedKey: Self = "repeatedKey"

        /// Two keys exclude each other.
        public static let conflictingKeys: Self = "conflictingKeys"

        /// A key has no effect any longer.
        public static let obsoleteKey: Self = "obsoleteKey"

        /// A value in the `aps` dictionary has the wrong type.
        public static let wrongApsValue: Self = "wrongApsValue"

        /// A number is outside of its range.
        public static let outOfRange: Self = "outOfRange"

        /// A time is in milliseconds.
        public static let timeInMilliseconds: Self = "timeInMilliseconds"

        /// A time is too far from the present.
        public static let unusualTime: Self = "unusualTime"

        /// A date in the data of a Live Activity counts from another time than the app's `Date`.
        public static let dateInState: Self = "dateInState"

        /// The alert has no text.
        public static let emptyAlert: Self = "emptyAlert"

        /// The sound cannot be played.
        public static let unusableSound: Self = "unusableSound"

        /// A key changes less than its sender may expect.
        public static let limitedEffect: Self = "limitedEffect"

        /// A background push contains an alert, a badge or a sound, or lacks `content-available`.
        public static let backgroundContent: Self = "backgroundContent"

        /// The target content identifier is neither a URL nor an identifier.
        public static let targetContentIdentifier: Self = "targetContentIdentifier"

        /// A JSON text is encoded as a string.
        public static let encodedTwice: Self = "encodedTwice"

        /// The payload is a message for Firebase Cloud Messaging.
        public static let firebaseMessage: Self = "firebaseMessage"

        /// The data of a Live Activity is too large for ActivityKit.
        public static let liveActivityTooLarge: Self = "liveActivityTooLarge"

        /// The payload is nearly too large.
        public static let nearlyTooLarge: Self = "nearlyTooLarge"
    }

    /// The kind of finding.
    public var code: Code

    /// The severity; a gateway with `--strict` refuses errors.
    public var severity: FindingSeverity

    /// A human-readable description, which says what is usual.
    public var message: String

    /// Creates the value from its parts.
    public init(code: Code, severity: FindingSeverity = .warning, message: String) {
        self.code = code
        self.severity = severity
        self.message = message
    }

    /// Parses a finding; one without a severity, as a gateway before version 0.2 made it, is a warning.
    ///
    /// - Throws: `DecodingError` if it has no code or no message.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        code = try container.decode(Code.self, forKey: .code)
        severity = try container.decodeIfPresent(FindingSeverity.self, forKey: .severity) ?? .warning
        message = try container.decode(String.self, forKey: .message)
    }
}
