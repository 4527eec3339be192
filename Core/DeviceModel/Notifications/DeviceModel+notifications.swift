internal import Highlights
internal import PredicateFormat
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

    /// Turns a Focus on, or the present one off.
    ///
    /// - Throws: `DescriptionError.unusableFilter` if a filter is not a predicate.
    mutating func focus(on focus: Focus?) throws(DescriptionError) {
        for (app, format) in (focus?.notificationFilters ?? [:]).sorted(by: { $0.key < $1.key }) {
            do throws(ContentPredicateError) {
                _ = try ContentPredicate(format: format)
            } catch {
                throw .unusableFilter(app, "\(error)")
            }
        }
        self.focus = focus
    }

    /// Turns a Focus on, or the present one off, as an event says.
    mutating func set(_ focus: Focus?) throws(IgnoredEvent) {
        do throws(DescriptionError) {
            try self.focus(on: focus)
        } catch {
            throw IgnoredEvent(reason: .unusableCondition, explanation: "\(error)")
        }
    }

    /// Changes the user's settings for the notifications of an app.
    mutating func set(_ settings: NotificationSettings, of app: BundleIdentifier) throws(IgnoredEvent) {
        guard apps[app] != nil else { throw .unknown(app) }
        apps[app]?.notificationSettings = settings
    }

    /// Returns the strings of an app in a language: a string that the language does not have is that of a wider tag, such
    /// as `zh-Hant` for `zh-Hant-TW`, or else in English.
    private static func strings(of app: AppDescription?, in language: String) -> [String: String] {
        guard let localized = app?.localizedStrings else { return [:] }
        var strings = localized["en"] ?? [:]
        var tag = ""
        for part in language.split(separator: "-") {
            tag += tag.isEmpty ? part : "-\(part)"
            strings.merge(localized[tag] ?? [:]) { $1 }
        }
        return strings
    }
}
