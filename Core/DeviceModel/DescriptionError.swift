internal import UniversalLinks
public import WaypostSchema

/// The reason why a device cannot be created from its description.
public enum DescriptionError: Error, Sendable, Equatable {
    /// The device has no name.
    case noName

    /// The version of the system is not a version.
    case unusableSystem(SystemVersion)

    /// Two apps have the same bundle identifier.
    case repeatedApp(BundleIdentifier)

    /// Two scenes of an app have the same persistent identifier.
    case repeatedScene(BundleIdentifier, SceneIdentifier)

    /// Two quick actions of an app have the same type.
    case repeatedShortcutItem(BundleIdentifier, String)

    /// A scene's activation condition cannot be used, for the reason given.
    case unusableCondition(BundleIdentifier, SceneIdentifier, String)

    /// Two declarations of an app have the same name.
    case repeatedDeclaration(BundleIdentifier, String)

    /// The texts of a declaration of an app cannot be used, for the reason given.
    case unusableDeclaration(BundleIdentifier, String, String)

    /// A URL scheme of an app is not a scheme, or is one of the web.
    case unusableURLScheme(BundleIdentifier, String)

    /// The filter of an app for the Focus cannot be used, for the reason given.
    case unusableFilter(String, String)

    /// The photograph of a contact cannot be used, for the reason given.
    case unusablePhoto(ContactID, String)

    /// An app with associated domains has no application identifier.
    case applicationIdentifierNeeded(BundleIdentifier)

    /// The application identifier of an app with associated domains is not a prefix and its bundle identifier.
    case unusableApplicationIdentifier(BundleIdentifier, ApplicationIdentifier)
}

extension DescriptionError: CustomStringConvertible {
    /// A description of the error, with its place.
    public var description: String {
        switch self {
        case .noName: "the device needs a name"
        case .unusableSystem(let system): "the system '\(system)' is not a version of iOS, such as 26.4"
        case .repeatedApp(let app): "the app \(app) is listed twice"
        case .repeatedScene(let app, let scene): "app \(app): the scene \(scene) is listed twice"
        case .repeatedShortcutItem(let app, let type):
            "app \(app): the quick action '\(type)' is listed twice; each needs a different type"
        case .unusableCondition(let app, let scene, let reason): "app \(app), scene \(scene): \(reason)"
        case .repeatedDeclaration(let app, let name): "app \(app): the declaration '\(name)' is listed twice"
        case .unusableDeclaration(let app, let name, let reason): "app \(app), declaration '\(name)': \(reason)"
        case .unusableURLScheme(let app, let scheme) where LinkURL.Scheme(rawValue: scheme.lowercased()) != nil:
            "app \(app): the URL scheme '\(scheme)' is of websites, which an app opens by associatedDomains"
        case .unusableURLScheme(let app, let scheme):
            "app \(app): '\(scheme)' is not a URL scheme, such as clowntown: a letter, and then letters, digits, "
                + "'+', '-' and '.'"
        case .unusableFilter(let app, let reason): "the Focus filter of \(app): \(reason)"
        case .unusablePhoto(let contact, let reason): "contact \(contact): \(reason)"
        case .applicationIdentifierNeeded(let app):
            "app \(app): associatedDomains require an applicationIdentifier such as ABCDE12345.\(app)"
        case .unusableApplicationIdentifier(let app, let identifier) where identifier.rawValue == app.rawValue:
            "app \(app): the applicationIdentifier has no prefix, which is the identifier of a team, as in "
                + "ABCDE12345.\(app)"
        case .unusableApplicationIdentifier(let app, let identifier):
            "app \(app): the applicationIdentifier '\(identifier)' is not a prefix and the bundle identifier, as in "
                + "ABCDE12345.\(app)"
        }
    }
}
