/// A page of the delivery log, in order of arrival.
public struct NotificationPage: Codable, Sendable, Equatable {
    /// The notifications.
    public var notifications: [NotificationRecord]

    /// The value of `after` for the next page; absent on the last page.
    public var next: Int?

    /// Creates the value from its parts.
    public init(notifications: [NotificationRecord], next: Int? = nil) {
        self.notifications = notifications
        self.next = next
    }
}
