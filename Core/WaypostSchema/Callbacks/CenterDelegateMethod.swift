/// A method of `UNUserNotificationCenterDelegate`.
public enum CenterDelegateMethod: String, StringEnum {
    /// `userNotificationCenter(_:didReceive:withCompletionHandler:)`.
    case didReceive

    /// `userNotificationCenter(_:willPresent:withCompletionHandler:)`.
    case willPresent
}
