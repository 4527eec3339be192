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
