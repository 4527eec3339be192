/// The importance and the timing of a notification (`UNNotificationInterruptionLevel`).
public enum InterruptionLevel: String, StringEnum, Hashable {
    /// The notification appears in the list only.
    case passive

    /// The notification appears immediately, and can play its sound.
    case active

    /// The notification also appears despite a Focus and a scheduled summary, if the user allows that.
    case timeSensitive = "time-sensitive"

    /// The notification also plays its sound if the device is muted, if the user allows that.
    case critical
}
