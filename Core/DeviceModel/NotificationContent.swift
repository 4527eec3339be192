public import WaypostSchema

/// What a device reads out of a notification's payload (`UNNotificationContent`).
public struct NotificationContent: Sendable, Equatable {
    /// The alert's title.
    public var title: String?

    /// The alert's text.
    public var body: String?

    /// What the notification is about, from `aps.target-content-id`.
    public var targetContentIdentifier: TargetContentIdentifier?

    /// Reads a payload; what is absent or of another type is `nil`.
    public init(payload: JSONValue) {
        let aps = payload["aps"]
        let alert = aps?["alert"]
        title = alert?["title"]?.string
        // An alert may be a plain string, which is its text.
        body = alert?.string ?? alert?["body"]?.string
        targetContentIdentifier = aps?["target-content-id"]?.string.map(TargetContentIdentifier.init(rawValue:))
    }
}
