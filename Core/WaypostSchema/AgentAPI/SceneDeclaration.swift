/// A declaration of scenes in an app: a scene of SwiftUI's `App`, or a configuration of UIKit.
public struct SceneDeclaration: Codable, Sendable, Equatable {
    /// The kinds of declarations.
    public enum Kind: String, StringEnum {
        /// A `WindowGroup` of SwiftUI.
        case windowGroup

        /// A `Window` of SwiftUI.
        case window

        /// A `DocumentGroup` of SwiftUI, which opens documents only.
        case documentGroup

        /// A configuration of UIKit (`UISceneConfigurations`).
        case configuration
    }

    /// The name: the identifier of the scene, or the name of the configuration.
    public var name: String

    /// The kind.
    public var kind: Kind

    /// The texts of content for which a new scene is made (`handlesExternalEvents(matching:)`); absent without the
    /// modifier.
    public var matching: [String]?

    /// The texts of content that its new scenes prefer; absent for the default.
    public var preferring: [String]?

    /// The texts of content that its new scenes can display; absent for the default.
    public var allowing: [String]?

    /// The role of its scenes; a window of the app if absent.
    public var role: SceneRole?

    /// Creates the value from its parts.
    public init(
        name: String,
        kind: Kind,
        matching: [String]? = nil,
        preferring: [String]? = nil,
        allowing: [String]? = nil,
        role: SceneRole? = nil
    ) {
        self.name = name
        self.kind = kind
        self.matching = matching
        self.preferring = preferring
        self.allowing = allowing
        self.role = role
    }
}

extension SceneDeclaration {
    /// The conditions that a new scene of the declaration has.
    public var activationConditions: ActivationConditions {
        ActivationConditions(preferring: preferring, allowing: allowing)
    }
}
