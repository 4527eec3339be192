/// A part of an inbox.
public struct InboxPage: Codable, Sendable, Equatable {
    /// The notifications, in the order in which they arrived.
    public var notifications: [InboxEntry]

    /// The sequence after which the next page begins; absent if this is the last one.
    public var next: Int?

    /// Creates the value from its parts.
    public init(notifications: [InboxEntry], next: Int? = nil) {
        self.notifications = notifications
        self.next = next
    }
}
