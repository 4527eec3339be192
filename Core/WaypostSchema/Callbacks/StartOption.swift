/// A value that an app can read when it is launched or a scene connects.
public enum StartOption: String, StringEnum {
    /// The URLs to open.
    case urlContexts

    /// The activities to continue, such as a universal link; not those of Handoff.
    case userActivities

    /// The quick action.
    case shortcutItem

    /// The quick action, in `application(_:configurationForConnecting:options:)`.
    case configurationShortcutItem

    /// The user's response to a notification.
    case notificationResponse

    /// The type of an activity that comes later, by Handoff.
    case handoffUserActivityType

    /// The invitation to a share of CloudKit.
    case cloudKitShareMetadata

    /// The App Intent that the system routes to the scene.
    case appIntent

    /// The activity with the state that the scene saved.
    case stateRestorationActivity

    /// The launch options, which are `nil` in an app with scenes.
    case launchOptions
}
