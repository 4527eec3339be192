/// The way the gateway stores an app's notifications for a device that cannot receive them at once.
public enum StorageMode: String, Codable, Sendable, CaseIterable {
    /// All notifications, in a queue per device; only a notification with the same collapse identifier replaces one.
    case lossless

    /// The newest notification for each device, for at most 30 days, as APNs does.
    case apns
}
