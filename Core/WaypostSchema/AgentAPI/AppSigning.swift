/// The signing of an app, on which it depends whether a device's developer mode applies to it.
public enum AppSigning: String, StringEnum {
    /// With a profile for development: entries with `?mode=developer` apply.
    case development

    /// With a profile for distribution, as apps from the App Store and TestFlight are: they do not apply.
    case distribution
}
