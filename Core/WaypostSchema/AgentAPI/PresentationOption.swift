/// A part of a notification that appears while its app is in the foreground (`UNNotificationPresentationOptions`).
public enum PresentationOption: String, StringEnum {
    /// The banner.
    case banner

    /// The entry in the list.
    case list

    /// The sound.
    case sound

    /// The badge.
    case badge
}
