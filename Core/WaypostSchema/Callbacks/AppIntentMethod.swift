/// A method of an App Intent.
public enum AppIntentMethod: String, StringEnum {
    /// `performNavigation(forScene:)`.
    case performNavigation

    /// `perform()`.
    case perform
}
