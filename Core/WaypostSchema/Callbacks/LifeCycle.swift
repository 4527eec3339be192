/// The life cycle that an app declares; it decides which objects the system calls.
public enum LifeCycle: String, StringEnum {
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
