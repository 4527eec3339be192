/// A request to take a named snapshot of a device.
public struct SnapshotRequest: Codable, Sendable, Equatable {
    /// The name; an existing snapshot of that name is replaced.
    public var name: String

    /// Creates the value from its parts.
    public init(name: String) {
        self.name = name
    }
}
