/// A notification as its app receives it, with the action that the user chose (`UNNotificationResponse`).
public struct NotificationResponse: Codable, Sendable, Equatable {
    /// The notification's identifier.
    public var id: NotificationID

    /// The payload that the provider sent.
    public var payload: JSONValue

    /// The action that the user chose; absent if the user tapped the notification.
    public var actionIdentifier: String?

    /// The text that the user entered; absent for an action without text.
    public var userText: String?

    /// Creates the value from its parts.
    public init(
        id: NotificationID,
        payload: JSONValue,
        actionIdentifier: String? = nil,
        userText: String? = nil
    ) {
        self.id = id
        self.payload = payload
        self.actionIdentifier = actionIdentifier
        self.userText = userText
    }
}
