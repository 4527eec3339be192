/// A condition on the way from a payload to the screen, the speaker, the icon, the app or its Live Activity.
public enum NotificationGate: String, StringEnum {
    /// The payload has something for the user, or what its receiver needs.
    case content

    /// The app may send notifications, or start Live Activities.
    case authorization

    /// The app's service extension is not needed, or has finished.
    case serviceExtension

    /// The payload has an alert, and alerts of the app are on.
    case alert

    /// The app is not in the foreground, or presents the notification there.
    case foreground

    /// The Focus allows the sender; only if the notification has one, or the Focus lists people.
    case communication

    /// No Focus silences the app.
    case focus

    /// The filter of the app for the Focus accepts the notification.
    case filter

    /// The notification is important enough to interrupt.
    case level

    /// The notification need not wait for the summary.
    case summary

    /// The payload has a sound, and it may be played.
    case sound

    /// The payload has a badge, and badges of the app are on.
    case badge

    /// The app has the background mode for the push.
    case backgroundMode

    /// The user did not force the app to quit.
    case forceQuit

    /// Background App Refresh is on for the app.
    case backgroundRefresh

    /// Low Power Mode is off.
    case lowPowerMode

    /// The app or its receiver was not called too often, or its Live Activities were not started or updated too often.
    case budget

    /// The payload has a known `event`, and what it needs.
    case event

    /// The token is for the `event`: that of a Live Activity, or one for starts, which the app's server can have.
    case token

    /// There is a Live Activity to change, or room for another one.
    case activity

    /// The payload is an end or not older than the last one, and not far ahead of the device's clock.
    case timestamp

    /// The content decodes into the types that the app describes.
    case decoding

    /// The app has the receiver of the push.
    case receiver

    /// The app may use the location at any time.
    case locationAuthorization

    /// The app did not leave too many VoIP pushes in a row without a call.
    case callReport

    /// The system of the device is new enough; only if the device states its version.
    case system
}
