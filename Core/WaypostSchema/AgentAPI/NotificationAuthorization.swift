/// The user's answer to the question whether an app may send notifications (`UNAuthorizationStatus`).
public enum NotificationAuthorization: String, StringEnum {
    /// The app has not asked yet.
    case notDetermined

    /// The user does not allow notifications.
    case denied

    /// The app may deliver notifications quietly, without a question.
    case provisional

    /// The user allows notifications.
    case authorized

    /// The app is an App Clip, which may send notifications for a limited time.
    case ephemeral
}
