/// A device that receives notifications by the stream.
public struct StreamDevice: Codable, Sendable, Equatable {
    /// The device's token.
    public var token: DeviceToken

    /// The device's name, for display.
    public var name: String

    /// Creates the value from its parts.
    public init(token: DeviceToken, name: String) {
        self.token = token
        self.name = name
    }
}
