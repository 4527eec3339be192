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

    /// The name of the declaration of which the scene is; absent if the app does not say what it declares.
    public var declaration: String?

    /// Creates the value from its parts.
    public init(
        persistentIdentifier: SceneIdentifier,
        title: String? = nil,
        role: SceneRole = .windowApplication,
        state: SceneState = .background,
        lastActivated: Timestamp? = nil,
        activationConditions: ActivationConditions = ActivationConditions(),
        stateRestorationActivity: UserActivity? = nil,
        declaration: String? = nil
    ) {
        self.persistentIdentifier = persistentIdentifier
        self.title = title
        self.role = role
        self.state = state
        self.lastActivated = lastActivated
        self.activationConditions = activationConditions
        self.stateRestorationActivity = stateRestorationActivity
        self.declaration = declaration
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
            ),
            declaration: try container.decodeIfPresent(String.self, forKey: .declaration)
        )
    }
}
