/// The cause for which the system calls an app.
public enum EventCause: String, StringEnum {
    /// The user opens the app by its icon or in the app switcher.
    case icon

    /// The user taps a notification.
    case notificationTap

    /// The user chooses an action of a notification that has the option `.foreground`.
    case foregroundAction

    /// The user chooses an action of a notification without the option `.foreground`.
    case backgroundAction

    /// The user enters a text for an action that has the option `.foreground`.
    case foregroundText

    /// The user enters a text for an action without the option `.foreground`.
    case backgroundText

    /// The user dismisses a notification whose category has the option `.customDismissAction`.
    case dismissal

    /// A notification arrives while the app is in the foreground.
    case foregroundNotification

    /// A background push arrives.
    case silentPush

    /// An alert push arrives that also asks for a background update (`content-available`).
    case contentAvailablePush

    /// The user chooses a quick action on the Home Screen.
    case quickAction

    /// The user opens a universal link.
    case universalLink

    /// The user or another app opens a URL with a scheme of the app.
    case customURL

    /// The user opens a document in the app.
    case document

    /// The user taps a widget or a Live Activity that has a URL.
    case widgetURL

    /// The user taps a widget or a Live Activity that has no URL.
    case widgetActivity

    /// The user opens a search result of the app in Spotlight.
    case spotlight

    /// The user accepts a share of CloudKit.
    case cloudKitShare

    /// The system runs an App Intent; in an app with scenes, one that it routes to a scene.
    case appIntent

    /// The user continues an activity of another device.
    case handoff

    /// The user continues an activity of another device, and its data does not arrive.
    case handoffFailure

    /// The system restores the state that the app saved.
    case restoration

    /// The app requests a scene with an activity.
    case sceneRequest
}
