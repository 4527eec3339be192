/// A receiver of pushes in an app, besides the app's process for notifications, calls and background updates.
public enum PushReceiver: String, StringEnum {
    /// The location push service extension (`CLLocationPushServiceExtension`).
    case location

    /// The file provider extension, whose enumerator the system signals.
    case fileProvider

    /// The PushKit delegate of the app, for complications (`PKPushType.complication`).
    case complication

    /// The widgets of the app that have a push handler (`WidgetPushHandler`).
    case widgets

    /// The controls of the app that have a push handler (`ControlPushHandler`).
    case controls
}
