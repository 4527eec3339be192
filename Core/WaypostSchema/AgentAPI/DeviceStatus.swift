/// A device of an agent, as the control API returns it.
public struct DeviceStatus: Codable, Sendable, Equatable {
    /// The device's name.
    public var name: String

    /// The device's token; absent until the device is registered.
    public var token: DeviceToken?

    /// Whether the device's stream from the gateway is open.
    public var isConnected: Bool

    /// Whether the device is in Airplane Mode; absent for no.
    public var isInAirplaneMode: Bool?

    /// The number of notifications on the device.
    public var notifications: Int

    /// Creates the value from its parts.
    public init(
        name: String,
        token: DeviceToken? = nil,
        isConnected: Bool,
        isInAirplaneMode: Bool? = nil,
        notifications: Int
    ) {
        self.name = name
        self.token = token
        self.isConnected = isConnected
        self.isInAirplaneMode = isInAirplaneMode
        self.notifications = notifications
    }
}
