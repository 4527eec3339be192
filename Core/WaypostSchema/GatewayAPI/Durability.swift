/// The failures that an accepted notification survives; unknown values are kept.
public struct Durability: StringIdentifier {
    /// The name of the level.
    public var rawValue: String

    /// Creates the level named `rawValue`.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// None: the notification is lost when the gateway's process ends.
    public static let memory: Self = "memory"

    /// A crash of the gateway and of its machine: the notification is synced to disk.
    public static let fsync: Self = "fsync"
}
