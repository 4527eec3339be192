/// The reason why a process receives no more events.
public enum DetachReason: String, StringEnum {
    /// The app was removed from the device, or was replaced by another version.
    case removed

    /// Another process of the app attached.
    case replaced

    /// The process did not read its events.
    case tooSlow

    /// The device was restored, so what the process knows may be out of date.
    case restored

    /// The user forced the app to quit.
    case forceQuit

    /// The system ended the app, because it reported no call or participant for a push.
    case callNotReported

    /// The agent is shutting down.
    case shutdown
}
