internal import Highlights
public import WaypostSchema

/// Notifications: what the device does with them, and why.
extension DeviceModel {
    /// Returns what the device did with a notification when it arrived, and why.
    ///
    /// - Parameter id: the notification.
    /// - Returns: the decision; `nil` if the notification is not there, or was dismissed.
    public func decision(on id: NotificationID) -> NotificationDecision? {
        received.decision(on: id)
    }

    /// Returns the number on the icon of an app; `nil` if it has no badge.
    public func badge(of app: BundleIdentifier) -> Int? {
        badges[app]
    }

    /// Decides what happens with a notification, and keeps it.
    mutating func post(
        _ notification: DeliveredNotification,
        of app: BundleIdentifier,
        at now: Timestamp
    ) -> DeviceNotification {
        let description = apps[app]?.description
        let content = NotificationContent(
            payload: notification.payload,
            strings: Self.strings(of: description, in: language)
        )
        let rules = NotificationRules(
            content: content,
            app: app,
            settings: description?.notificationSettings ?? NotificationSettings(),
            focus: focus
        )
        let decision = rules.decision
        if let badge = decision.badge { badges[app] = badge == 0 ? nil : badge }
        return received.take(notification, content, decision, at: now)
    }

    /// Changes the user's settings for the notifications of an app.
    mutating func set(_ settings: NotificationSettings, of app: BundleIdentifier) throws(IgnoredEvent) {
        guard apps[app] != nil else { throw .unknown(app) }
        apps[app]?.notificationSettings = settings
    }

    /// Returns the strings of an app in a language: those of the tag itself, of its language alone, or else of English.
    private static func strings(of app: AppDescription?, in language: String) -> [String: String] {
        let tags = [language, String(language.prefix { $0 != "-" }), "en"]
        return tags.lazy.compactMap { app?.localizedStrings?[$0] }.first ?? [:]
    }
}
