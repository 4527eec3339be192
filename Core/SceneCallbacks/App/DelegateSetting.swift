package import WaypostSchema

/// The place in which an app sets the delegate of the notification center.
package enum DelegateSetting: String, StringEnum {
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

extension DelegateSetting {
    /// Whether the delegate is called for a response that launches the app; `nil` if that is uncertain.
    ///
    /// Apple documents the first two, and two reports show the last two.
    var isInTimeForLaunch: Bool? {
        switch self {
        case .willFinishLaunching, .didFinishLaunching: true
        case .willConnect: nil
        case .later, .never: false
        }
    }
}
