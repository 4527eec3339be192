/// The reason why a notification was rejected, as a reason string of APNs; unknown values are kept.
public struct RejectionReason: StringIdentifier {
    /// The reason string, as APNs spells it.
    public var rawValue: String

    /// Creates the reason spelled `rawValue`.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The channel identifier is malformed.
    public static let badChannelId: Self = "BadChannelId"

    /// The certificate is not valid.
    public static let badCertificate: Self = "BadCertificate"

    /// The certificate is for the other environment.
    public static let badCertificateEnvironment: Self = "BadCertificateEnvironment"

    /// The collapse identifier is longer than 64 bytes.
    public static let badCollapseId: Self = "BadCollapseId"

    /// The token is malformed or belongs to no device.
    public static let badDeviceToken: Self = "BadDeviceToken"

    /// The key of the provider token is for the other environment.
    public static let badEnvironmentKeyInToken: Self = "BadEnvironmentKeyInToken"

    /// The expiration is not a time since 1970.
    public static let badExpirationDate: Self = "BadExpirationDate"

    /// The identifier is not a UUID.
    public static let badMessageId: Self = "BadMessageId"

    /// The path is not a path for sending notifications.
    public static let badPath: Self = "BadPath"

    /// The priority is not 10, 5 or 1.
    public static let badPriority: Self = "BadPriority"

    /// The path has unsupported parameters.
    public static let badRequestParams: Self = "BadRequestParams"

    /// The item cannot be read: it is not JSON, or has the wrong shape.
    public static let badRequestPayload: Self = "BadRequestPayload"

    /// The topic is malformed, or does not fit the push type.
    public static let badTopic: Self = "BadTopic"

    /// The app has reached the maximum number of channels.
    public static let cannotCreateChannelConfig: Self = "CannotCreateChannelConfig"

    /// The channel does not exist.
    public static let channelNotRegistered: Self = "ChannelNotRegistered"

    /// The device is not registered for the topic.
    public static let deviceTokenNotForTopic: Self = "DeviceTokenNotForTopic"

    /// A header appears more than once.
    public static let duplicateHeaders: Self = "DuplicateHeaders"

    /// The provider token is older than an hour.
    public static let expiredProviderToken: Self = "ExpiredProviderToken"

    /// The token has expired.
    public static let expiredToken: Self = "ExpiredToken"

    /// The provider is not allowed to do this.
    public static let forbidden: Self = "Forbidden"

    /// The connection was idle for too long.
    public static let idleTimeout: Self = "IdleTimeout"

    /// The gateway failed.
    public static let internalServerError: Self = "InternalServerError"

    /// The provider token is malformed, or its signature does not match a known key.
    public static let invalidProviderToken: Self = "InvalidProviderToken"

    /// The push type is unknown.
    public static let invalidPushType: Self = "InvalidPushType"

    /// The method is not `POST`.
    public static let methodNotAllowed: Self = "MethodNotAllowed"

    /// The channel identifier is missing.
    public static let missingChannelId: Self = "MissingChannelId"

    /// The device token is missing.
    public static let missingDeviceToken: Self = "MissingDeviceToken"

    /// Both the provider token and the certificate are missing.
    public static let missingProviderToken: Self = "MissingProviderToken"

    /// The push type is missing.
    public static let missingPushType: Self = "MissingPushType"

    /// The topic is missing.
    public static let missingTopic: Self = "MissingTopic"

    /// The payload is missing.
    public static let payloadEmpty: Self = "PayloadEmpty"

    /// The payload is larger than its push type allows.
    public static let payloadTooLarge: Self = "PayloadTooLarge"

    /// The gateway cannot accept notifications at present.
    public static let serviceUnavailable: Self = "ServiceUnavailable"

    /// The gateway is shutting down.
    public static let shutdown: Self = "Shutdown"

    /// The provider token of a key changed less than 20 minutes after the last change.
    public static let tooManyProviderTokenUpdates: Self = "TooManyProviderTokenUpdates"

    /// Too many notifications were sent to one device.
    public static let tooManyRequests: Self = "TooManyRequests"

    /// The provider is not allowed to send to the topic.
    public static let topicDisallowed: Self = "TopicDisallowed"

    /// The provider is not allowed to do this for the app.
    public static let topicMismatch: Self = "TopicMismatch"

    /// The device of the token was unregistered.
    public static let unregistered: Self = "Unregistered"

    /// The key of the provider token is unrelated to the first key used on the connection.
    public static let unrelatedKeyIdInToken: Self = "UnrelatedKeyIdInToken"

    /// All reasons that are named here, in alphabetical order.
    public static let known: [Self] = [
        .badChannelId, .badCertificate, .badCertificateEnvironment, .badCollapseId, .badDeviceToken,
        .badEnvironmentKeyInToken, .badExpirationDate, .badMessageId, .badPath, .badPriority, .badRequestParams,
        .badRequestPayload, .badTopic, .cannotCreateChannelConfig, .channelNotRegistered, .deviceTokenNotForTopic,
        .duplicateHeaders, .expiredProviderToken, .expiredToken, .forbidden, .idleTimeout, .internalServerError,
        .invalidProviderToken, .invalidPushType, .methodNotAllowed, .missingChannelId, .missingDeviceToken,
        .missingProviderToken, .missingPushType, .missingTopic, .payloadEmpty, .payloadTooLarge, .serviceUnavailable,
        .shutdown, .tooManyProviderTokenUpdates, .tooManyRequests, .topicDisallowed, .topicMismatch, .unregistered,
        .unrelatedKeyIdInToken,
    ]
}
