/// A registered device in a list, with what a gateway has for it.
public struct ListedDevice: Codable, Sendable, Equatable {
    /// The device.
    public var device: RegisteredDevice

    /// Whether it is connected, to whichever gateway.
    public var connected: Bool

    /// The number of notifications in its inbox.
    public var stored: Int

    /// Creates the value from its parts.
    public init(device: RegisteredDevice, connected: Bool, stored: Int) {
        self.device = device
        self.connected = connected
        self.stored = stored
    }
}
