/// A group of actions that the notifications with its identifier offer (`UNNotificationCategory`).
public struct NotificationCategory: Codable, Sendable, Equatable {
    /// The identifier, for `aps.category`.
    public var identifier: String

    /// The actions, in their order.
    public var actions: [NotificationAction]

    /// Whether the app is called if the user dismisses a notification (`customDismissAction`); absent for no.
    public var customDismissAction: Bool?

    /// Creates the value from its parts.
    public init(identifier: String, actions: [NotificationAction], customDismissAction: Bool? = nil) {
        self.identifier = identifier
        self.actions = actions
        self.customDismissAction = customDismissAction
    }
}
