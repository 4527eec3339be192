internal import WaypostSchema

/// The life cycle that an app declares; it decides which objects the system calls.
package enum LifeCycle: String, StringEnum {
    /// Only an app delegate: the app has no scene manifest, and does not configure scenes in code.
    case appDelegate

    /// Scenes of UIKit, each with a scene delegate.
    case uiScene

    /// Scenes of SwiftUI, without any delegate.
    case swiftUI

    /// Scenes of SwiftUI, with an app delegate (`UIApplicationDelegateAdaptor`).
    case swiftUIWithAdaptor

    /// Scenes of SwiftUI, with an app delegate that configures each scene with a delegate class.
    case swiftUIWithSceneDelegate
}

extension LifeCycle {
    /// The objects that the system can call.
    package var objects: Set<CallbackObject> {
        switch self {
        case .appDelegate: [.appDelegate, .notificationCenterDelegate, .intent]
        case .uiScene: [.appDelegate, .sceneDelegate, .notificationCenterDelegate, .intent]
        case .swiftUI: [.view, .notificationCenterDelegate, .intent]
        case .swiftUIWithAdaptor: [.appDelegate, .view, .notificationCenterDelegate, .intent]
        case .swiftUIWithSceneDelegate:
            [.appDelegate, .sceneDelegate, .view, .notificationCenterDelegate, .intent]
        }
    }
}

extension Set<LifeCycle> {
    /// The life cycles of SwiftUI.
    package static var anySwiftUI: Self { [.swiftUI, .swiftUIWithAdaptor, .swiftUIWithSceneDelegate] }

    /// The life cycles with scenes.
    package static var withScenes: Self { Self.anySwiftUI.union([LifeCycle.uiScene]) }
}
