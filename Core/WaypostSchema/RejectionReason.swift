/// Why a notification was not accepted, in the words of APNs; words that this version does not know are kept.
public struct RejectionReason: StringIdentifier {
    /// The reason, as APNs spells it.
    public var rawValue: String

    /// Creates the reason spelled `rawValue`.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The collapse identifier is longer than 64 bytes.
    public static let badCollapseId: Self = "BadCollapseId"

    /// The token is malformed or belongs to no device.
    public static let badDeviceToken: Self = "BadDeviceToken"

    /// The expiration is no moment since 1970.
    public static let badExpirationDate: Self = "BadExpirationDate"

    /// The identifier is no UUID.
    public static let badMessageId: Self = "BadMessageId"

    /// The priority is none of 10, 5 and 1.
    public static let badPriority: Self = "BadPriority"

    /// The item cannot be read: it is not JSON, or not of the right shape.
    public static let badRequestPayload: Self = "BadRequestPayload"

    /// The device is not registered for the topic.
    public static let deviceTokenNotForTopic: Self = "DeviceTokenNotForTopic"

    /// The token was valid once, and has expired.
    public static let expiredToken: Self = "ExpiredToken"

    /// The push type is unknown.
    public static let invalidPushType: Self = "InvalidPushType"

    /// There is no token.
    public static let missingDeviceToken: Self = "MissingDeviceToken"

    /// There is no topic.
    public static let missingTopic: Self = "MissingTopic"

    /// There is no payload.
    public static let payloadEmpty: Self = "PayloadEmpty"

    /// The payload is larger than its push type allows.
    public static let payloadTooLarge: Self = "PayloadTooLarge"

    /// The token was valid once; its device was unregistered.
    public static let unregistered: Self = "Unregistered"
}
