/// A request to reset a device.
public struct DeviceReset: Codable, Sendable, Equatable {
    /// The snapshot to restore; the device's description if absent.
    public var snapshot: String?

    /// Creates the value from its parts.
    public init(snapshot: String? = nil) {
        self.snapshot = snapshot
    }
}
