internal import WaypostSchema

/// The cause for which the system calls an app.
package enum EventCause: String, StringEnum {
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

    /// The system restores the state that the app saved.
    case restoration
}

extension EventCause {
    /// The cause in a few words.
    package var title: String {
        switch self {
        case .icon: "the icon, or the app switcher"
        case .notificationTap: "a tap on a notification"
        case .foregroundAction: "an action that opens the app"
        case .backgroundAction: "an action in the background"
        case .foregroundText: "a text that opens the app"
        case .backgroundText: "a text in the background"
        case .dismissal: "a dismissed notification"
        case .foregroundNotification: "a notification in the foreground"
        case .silentPush: "a silent push"
        case .contentAvailablePush: "an alert push with content-available"
        case .quickAction: "a quick action"
        case .universalLink: "a universal link"
        case .customURL: "a custom URL"
        case .document: "a document"
        case .widgetURL: "a widget or Live Activity with a URL"
        case .widgetActivity: "a widget or Live Activity without a URL"
        case .spotlight: "a search result in Spotlight"
        case .cloudKitShare: "a CloudKit share"
        case .appIntent: "an App Intent"
        case .handoff: "Handoff"
        case .restoration: "state restoration"
        }
    }

    /// The value that has the event if a scene connects for it; `nil` if no scene connects.
    package var option: StartOption? {
        switch self {
        case .notificationTap, .foregroundAction, .foregroundText: .notificationResponse
        case .quickAction: .shortcutItem
        case .universalLink, .widgetActivity, .spotlight: .userActivities
        case .customURL, .document, .widgetURL: .urlContexts
        case .cloudKitShare: .cloudKitShareMetadata
        case .appIntent: .appIntent
        case .handoff: .handoffUserActivityType
        case .restoration: .stateRestorationActivity
        case .icon, .backgroundAction, .backgroundText, .dismissal, .foregroundNotification, .silentPush,
            .contentAvailablePush:
            nil
        }
    }

    /// Whether an event comes with the cause; the icon only opens the app.
    package var hasEvent: Bool {
        self != .icon
    }
}
