/// The standing of a device token: what APNs would answer to a provider that sends to it.
public enum TokenStanding: String, Codable, Sendable, CaseIterable {
    /// The token is valid.
    case active

    /// The device was unregistered: 410 `Unregistered`.
    case unregistered

    /// The token has expired: 410 `ExpiredToken`.
    case expired

    /// The token belongs to the other environment: 400 `BadDeviceToken`.
    case wrongEnvironment
}
