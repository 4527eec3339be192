/// A request to fork a device.
public struct DeviceFork: Codable, Sendable, Equatable {
    /// The name of the new device.
    public var name: String

    /// The snapshot to start from; the device's current state if absent.
    public var snapshot: String?

    /// Creates the value from its parts.
    public init(name: String, snapshot: String? = nil) {
        self.name = name
        self.snapshot = snapshot
    }
}
