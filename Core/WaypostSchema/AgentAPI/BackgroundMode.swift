/// A way in which an app runs in the background (`UIBackgroundModes`).
public enum BackgroundMode: String, StringEnum {
    /// Background notifications start the app.
    case remoteNotification = "remote-notification"

    /// Pushes of the type `voip` start the app.
    case voip

    /// Pushes of the type `pushtotalk` start the app.
    case pushToTalk = "push-to-talk"
}
