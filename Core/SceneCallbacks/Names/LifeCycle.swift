internal import WaypostSchema

/// The life cycle that an app declares; it decides which objects the system calls.
package enum LifeCycle: String, StringEnum {
    /// Only an app delegate: the app has no scene manifest, and does not configure scenes in code.
    case appDelegate

    /// Scenes of UIKit, each with a scene delegate.
    case uiScene
}
