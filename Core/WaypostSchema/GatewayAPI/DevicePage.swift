/// A part of the list of the devices of a namespace.
public struct DevicePage: Codable, Sendable, Equatable {
    /// The devices, in the order of their tokens.
    public var devices: [ListedDevice]

    /// The token after which the next page begins; absent if this is the last one.
    public var next: DeviceToken?

    /// Creates the value from its parts.
    public init(devices: [ListedDevice], next: DeviceToken? = nil) {
        self.devices = devices
        self.next = next
    }
}
