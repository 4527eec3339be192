package import WaypostSchema

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
        case .handoffFailure: "Handoff whose data does not arrive"
        case .restoration: "state restoration"
        case .sceneRequest: "a request of the app for a scene, with an activity"
        }
    }

    /// The value that has the event if a scene connects for it; `nil` if no scene connects.
    package var option: StartOption? {
        switch self {
        case .notificationTap, .foregroundAction, .foregroundText: .notificationResponse
        case .quickAction: .shortcutItem
        case .universalLink, .widgetActivity, .spotlight, .sceneRequest: .userActivities
        case .customURL, .document, .widgetURL: .urlContexts
        case .cloudKitShare: .cloudKitShareMetadata
        case .appIntent: .appIntent
        case .handoff, .handoffFailure: .handoffUserActivityType
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
