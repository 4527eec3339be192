/// The notifications of a device as the user sees them: in groups, and in the summary that waits.
public struct NotificationList: Codable, Sendable, Equatable {
    /// The groups, the one with the newest notification first.
    public var groups: [NotificationGroup]

    /// The notifications that wait for the summary, the most relevant first; of equal ones the newest first.
    public var summary: [DeviceNotification]

    /// Creates the value from its parts.
    public init(groups: [NotificationGroup], summary: [DeviceNotification]) {
        self.groups = groups
        self.summary = summary
    }
}
