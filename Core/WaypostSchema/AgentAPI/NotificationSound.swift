/// The sound of a notification (`aps.sound`).
public struct NotificationSound: Codable, Sendable, Equatable {
    /// The name of the sound file; `default` is the sound of the system.
    public var name: String

    /// Whether the sound is that of a critical alert.
    public var isCritical: Bool

    /// The volume of a critical alert, from 0 to 1; absent for the full volume.
    public var volume: Double?

    /// Creates the value from its parts.
    public init(name: String, isCritical: Bool = false, volume: Double? = nil) {
        self.name = name
        self.isCritical = isCritical
        self.volume = volume
    }
}
