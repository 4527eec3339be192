/// How far a scene is from the person's eyes (`UIScene.ActivationState`; a disconnected session has no scene).
public enum SceneState: String, StringChoice {
    /// On screen and taking events.
    case foregroundActive

    /// On screen, not taking events.
    case foregroundInactive

    /// Not on screen.
    case background

    /// Not in memory; the session and its conditions are kept.
    case disconnected
}

/// What a scene is for (`UISceneSession.Role`); values that this version does not know are kept.
public struct SceneRole: StringIdentifier {
    /// The name of the role.
    public var rawValue: String

    /// Creates the role named `rawValue`.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A window of the app; what a scene is unless it says otherwise.
    public static let windowApplication: Self = "windowApplication"
}

/// What content a scene can display and what it prefers (`UISceneActivationConditions`), as predicate formats.
public struct ActivationConditions: Codable, Sendable, Equatable {
    /// Whether the scene may be activated for an identifier if there is no better one; anything, by default.
    public var canActivateForTargetContentIdentifierPredicate: String

    /// Whether the scene is a better one for an identifier than any that only can; nothing, by default.
    public var prefersToActivateForTargetContentIdentifierPredicate: String

    /// Creates conditions; the defaults are the platform's.
    public init(can: String = "TRUEPREDICATE", prefers: String = "FALSEPREDICATE") {
        canActivateForTargetContentIdentifierPredicate = can
        prefersToActivateForTargetContentIdentifierPredicate = prefers
    }

    /// Reads conditions; what is absent has its default.
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

/// A scene session of an app (`UISceneSession`), with the conditions that were packaged while its scene lived.
public struct SceneSession: Codable, Sendable, Equatable {
    /// What the session is known by.
    public var persistentIdentifier: SceneIdentifier

    /// The scene's title, for people.
    public var title: String?

    /// What the scene is for; a window of the app where absent.
    public var role: SceneRole

    /// How far the scene is from the person's eyes; in the background where absent.
    public var state: SceneState

    /// When the scene was last activated; absent for never.
    public var lastActivated: Timestamp?

    /// What the scene can display and what it prefers; the platform's defaults where absent.
    public var activationConditions: ActivationConditions

    /// What the scene is restored with once it is disconnected.
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

    /// Reads a session; only its persistent identifier is required.
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
