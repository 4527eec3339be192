/// The reason for which the data of an activity does not arrive from another device: a code of `CocoaError`.
public enum HandoffError: String, StringEnum {
    /// The data was not available, for example because the other device left.
    case userActivityHandoffFailed

    /// The connection to the other device was not available.
    case userActivityConnectionUnavailable

    /// The app on the other device did not send the data in time.
    case userActivityRemoteApplicationTimedOut

    /// The data of the activity was too large.
    case userActivityHandoffUserInfoTooLarge
}

/// An activity of another device whose data did not arrive.
public struct FailedUserActivity: Codable, Sendable, Equatable {
    /// The type of the activity.
    public var activityType: String

    /// The reason.
    public var error: HandoffError

    /// Creates the value from its parts.
    public init(activityType: String, error: HandoffError) {
        self.activityType = activityType
        self.error = error
    }
}
