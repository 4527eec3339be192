public import WaypostSchema

/// Why a device cannot be what its description says.
public enum DescriptionError: Error, Sendable, Equatable {
    /// The device has no name.
    case noName

    /// Two apps have the same bundle identifier.
    case repeatedApp(BundleIdentifier)

    /// Two scenes of an app have the same persistent identifier.
    case repeatedScene(BundleIdentifier, SceneIdentifier)

    /// Two quick actions of an app have the same type.
    case repeatedShortcutItem(BundleIdentifier, String)

    /// A scene's activation condition cannot be used, for the reason given.
    case unusableCondition(BundleIdentifier, SceneIdentifier, String)

    /// An app with associated domains has no application identifier, or one that does not end with its bundle identifier.
    case applicationIdentifierNeeded(BundleIdentifier)
}

extension DescriptionError: CustomStringConvertible {
    /// A sentence for a person that names the place.
    public var description: String {
        switch self {
        case .noName: "the device needs a name"
        case .repeatedApp(let app): "the app \(app) stands there twice"
        case .repeatedScene(let app, let scene): "app \(app): the scene \(scene) stands there twice"
        case .repeatedShortcutItem(let app, let type):
            "app \(app): the quick action '\(type)' stands there twice; each needs a type of its own"
        case .unusableCondition(let app, let scene, let reason): "app \(app), scene \(scene): \(reason)"
        case .applicationIdentifierNeeded(let app):
            "app \(app): with associatedDomains it needs an applicationIdentifier such as ABCDE12345.\(app)"
        }
    }
}
