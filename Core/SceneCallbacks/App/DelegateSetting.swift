internal import WaypostSchema

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
    /// Whether the delegate is called for a response that launches the app, and the source; `nil` if that is uncertain.
    package var launchRule: (isCalled: Bool?, source: CallbackSource) {
        switch self {
        case .willFinishLaunching, .didFinishLaunching: (true, .responseAtLaunch)
        case .willConnect: (nil, .inferred)
        case .later: (false, .lateDelegate)
        case .never: (false, .centerDelegate)
        }
    }
}
