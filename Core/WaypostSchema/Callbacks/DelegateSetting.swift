/// The place in which an app sets the delegate of the notification center.
public enum DelegateSetting: String, StringEnum {
    /// In `application(_:willFinishLaunchingWithOptions:)`.
    case willFinishLaunching

    /// In `application(_:didFinishLaunchingWithOptions:)`.
    case didFinishLaunching

    /// In `scene(_:willConnectTo:options:)`.
    case willConnect

    /// After the launch.
    case later

    /// Nowhere.
    case never
}
