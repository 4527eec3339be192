/// A request to add devices to an agent.
public struct DeviceCreation: Codable, Sendable, Equatable {
    /// The description of each device; `{n}` in its name stands for the number of the device, from 1.
    public var device: DeviceDescription

    /// The number of devices, from 1 to 10,000; 1 if absent.
    public var count: Int?

    /// Creates the value from its parts.
    public init(device: DeviceDescription, count: Int? = nil) {
        self.device = device
        self.count = count
    }
}
