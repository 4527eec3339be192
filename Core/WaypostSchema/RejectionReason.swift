/// Why a notification was not accepted, in the words of APNs; words that this version does not know are kept.
public struct RejectionReason: StringIdentifier {
    /// The reason, as APNs spells it.
    public var rawValue: String

    /// Creates the reason spelled `rawValue`.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The name of the channel is no name of one.
    public static let badChannelId: Self = "BadChannelId"

    /// The certificate is not valid.
    public static let badCertificate: Self = "BadCertificate"

    /// The certificate is one of the other environment.
    public static let badCertificateEnvironment: Self = "BadCertificateEnvironment"

    /// The collapse identifier is longer than 64 bytes.
    public static let badCollapseId: Self = "BadCollapseId"

    /// The token is malformed or belongs to no device.
    public static let badDeviceToken: Self = "BadDeviceToken"

    /// The key of the provider token is one of the other environment.
    public static let badEnvironmentKeyInToken: Self = "BadEnvironmentKeyInToken"

    /// The expiration is no moment since 1970.
    public static let badExpirationDate: Self = "BadExpirationDate"

    /// The identifier is no UUID.
    public static let badMessageId: Self = "BadMessageId"

    /// The path is none that notifications are sent to.
    public static let badPath: Self = "BadPath"

    /// The priority is none of 10, 5 and 1.
    public static let badPriority: Self = "BadPriority"

    /// The path has parameters that nothing reads.
    public static let badRequestParams: Self = "BadRequestParams"

    /// The item cannot be read: it is not JSON, or not of the right shape.
    public static let badRequestPayload: Self = "BadRequestPayload"

    /// The topic is no topic, or not one of the push type.
    public static let badTopic: Self = "BadTopic"

    /// The app has as many channels as it may have.
    public static let cannotCreateChannelConfig: Self = "CannotCreateChannelConfig"

    /// There is no such channel.
    public static let channelNotRegistered: Self = "ChannelNotRegistered"

    /// The device is not registered for the topic.
    public static let deviceTokenNotForTopic: Self = "DeviceTokenNotForTopic"

    /// A header comes more than once.
    public static let duplicateHeaders: Self = "DuplicateHeaders"

    /// The provider token is older than an hour.
    public static let expiredProviderToken: Self = "ExpiredProviderToken"

    /// The token was valid once, and has expired.
    public static let expiredToken: Self = "ExpiredToken"

    /// The sender may not do this.
    public static let forbidden: Self = "Forbidden"

    /// Nothing came for too long.
    public static let idleTimeout: Self = "IdleTimeout"

    /// The gateway failed.
    public static let internalServerError: Self = "InternalServerError"

    /// The provider token is none, or is not signed by a key that is known.
    public static let invalidProviderToken: Self = "InvalidProviderToken"

    /// The push type is unknown.
    public static let invalidPushType: Self = "InvalidPushType"

    /// The method is not `POST`.
    public static let methodNotAllowed: Self = "MethodNotAllowed"

    /// No channel is named.
    public static let missingChannelId: Self = "MissingChannelId"

    /// There is no token.
    public static let missingDeviceToken: Self = "MissingDeviceToken"

    /// There is neither a provider token nor a certificate.
    public static let missingProviderToken: Self = "MissingProviderToken"

    /// There is no push type.
    public static let missingPushType: Self = "MissingPushType"

    /// There is no topic.
    public static let missingTopic: Self = "MissingTopic"

    /// There is no payload.
    public static let payloadEmpty: Self = "PayloadEmpty"

    /// The payload is larger than its push type allows.
    public static let payloadTooLarge: Self = "PayloadTooLarge"

    /// The gateway cannot take notifications at present.
    public static let serviceUnavailable: Self = "ServiceUnavailable"

    /// The gateway is going.
    public static let shutdown: Self = "Shutdown"

    /// A key's provider token changed sooner than after 20 minutes.
    public static let tooManyProviderTokenUpdates: Self = "TooManyProviderTokenUpdates"

    /// Too much is sent to one device.
    public static let tooManyRequests: Self = "TooManyRequests"

    /// The sender may not send to the topic.
    public static let topicDisallowed: Self = "TopicDisallowed"

    /// The sender may not do this for the app.
    public static let topicMismatch: Self = "TopicMismatch"

    /// The token was valid once; its device was unregistered.
    public static let unregistered: Self = "Unregistered"

    /// The key of the provider token is not related to that of the first on its connection.
    public static let unrelatedKeyIdInToken: Self = "UnrelatedKeyIdInToken"
}
