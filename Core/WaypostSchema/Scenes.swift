/// The state of a scene (`UIScene.ActivationState`; a disconnected session has no scene).
public enum SceneState: String, StringChoice {
    /// On screen, and receives events.
    case foregroundActive

    /// On screen, and does not receive events.
    case foregroundInactive

    /// Not on screen.
    case background

    /// Not in memory; the session and its conditions are kept.
    case disconnected
}

/// The role of a scene (`UISceneSession.Role`); unknown values are kept.
public struct SceneRole: StringIdentifier {
    /// The name of the role.
    public var rawValue: String

    /// Creates the role named `rawValue`.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A window of the app; the default.
    public static let windowApplication: Self = "windowApplication"
}

/// The content that a scene can display and prefers (`UISceneActivationConditions`), as predicate formats.
public struct ActivationConditions: Codable, Sendable, Equatable {
    /// Whether the scene may be activated for an identifier if no scene prefers it; true for anything by default.
    public var canActivateForTargetContentIdentifierPredicate: String

    /// Whether the scene is preferred for an identifier over scenes that only can display it; false by default.
    public var prefersToActivateForTargetContentIdentifierPredicate: String

    /// Creates conditions; the defaults are the platform's.
    public init(can: String = "TRUEPREDICATE", prefers: String = "FALSEPREDICATE") {
        canActivateForTargetContentIdentifierPredicate = can
        prefersToActivateForTargetContentIdentifierPredicate = prefers
    }

    /// Parses conditions; absent ones have their defaults.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        if let can = try container.decodeIfPresent(
            String.self,
            forKey: .canActivateForTargetContentIdentifierPredicate
        ) {
            canActivateForTargetContentIdentifierPredicate = can
        }
        if let prefers = try container.decodeIfPresent(
            String.self,
            forKey: .prefersToActivateForTargetContentIdentifierPredicate
        ) {
            prefersToActivateForTargetContentIdentifierPredicate = prefers
        }
    }
}

/// A scene session of an app (`UISceneSession`), with the conditions that its scene set.
public struct SceneSession: Codable, Sendable, Equatable {
    /// The session's persistent identifier.
    public var persistentIdentifier: SceneIdentifier

    /// The scene's title, for display.
    public var title: String?

    /// The scene's role; a window of the app if absent.
    public var role: SceneRole

    /// The scene's state; `background` if absent.
    public var state: SceneState

    /// The time at which the scene was last activated; absent if it never was.
    public var lastActivated: Timestamp?

    /// The content that the scene can display and prefers; the platform's defaults if absent.
    public var activationConditions: ActivationConditions

    /// The activity that restores the scene after it was disconnected.
    public var stateRestorationActivity: UserActivity?

    /// Creates the value from its parts.
    public init(
        persistentIdentifier: SceneIdentifier,
        title: String? = nil,
        role: SceneRole = .windowApplication,
        state: SceneState = .background,
        lastActivated: Timestamp? = nil,
        activationConditions: ActivationConditions = ActivationConditions(),
        stateRestorationActivity: UserActivity? = nil
    ) {
        self.persistentIdentifier = persistentIdentifier
        self.title = title
        self.role = role
        self.state = state
        self.lastActivated = lastActivated
        self.activationConditions = activationConditions
        self.stateRestorationActivity = stateRestorationActivity
    }

    /// Parses a session; only its persistent identifier is required.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            persistentIdentifier: try container.decode(SceneIdentifier.self, forKey: .persistentIdentifier),
            title: try container.decodeIfPresent(String.self, forKey: .title),
            role: try container.decodeIfPresent(SceneRole.self, forKey: .role) ?? .windowApplication,
            state: try container.decodeIfPresent(SceneState.self, forKey: .state) ?? .background,
            lastActivated: try container.decodeIfPresent(Timestamp.self, forKey: .lastActivated),
            activationConditions: try container.decodeIfPresent(
                ActivationConditions.self,
                forKey: .activationConditions
            ) ?? ActivationConditions(),
            stateRestorationActivity: try container.decodeIfPresent(
                UserActivity.self,
                forKey: .stateRestorationActivity
            )
        )
    }
}
