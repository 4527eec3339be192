/// The way an app shows content with an attribution view (`SWAttributionView.DisplayContext`).
public enum DisplayContext: String, StringEnum {
    /// The content is shown among other content, for example in a list; the default.
    case summary

    /// The user is consuming the content.
    case detail
}
