/// A namespace of a gateway.
public struct NamespaceSummary: Codable, Sendable, Equatable {
    /// The name.
    public var name: Namespace

    /// The number of devices registered in the namespace, whatever the standing of their tokens.
    public var devices: Int

    /// The number of notifications in the inboxes of the namespace.
    public var stored: Int

    /// The time at which the oldest of them was accepted; absent if there is none.
    public var oldest: Timestamp?

    /// Creates the value from its parts.
    public init(name: Namespace, devices: Int, stored: Int, oldest: Timestamp? = nil) {
        self.name = name
        self.devices = devices
        self.stored = stored
        self.oldest = oldest
    }
}
