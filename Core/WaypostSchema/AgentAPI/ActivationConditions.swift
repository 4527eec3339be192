/// The content that a scene can display and prefers (`UISceneActivationConditions`), as predicate formats.
///
/// Each of the two conditions can be written as SwiftUI does instead (`handlesExternalEvents(preferring:allowing:)`):
/// with texts, one of which the identifier must contain.
public struct ActivationConditions: Codable, Sendable, Equatable {
    /// Whether the scene may be activated for an identifier if no scene prefers it; true for anything by default.
    public var canActivateForTargetContentIdentifierPredicate: String

    /// Whether the scene is preferred for an identifier over scenes that only can display it; false by default.
    public var prefersToActivateForTargetContentIdentifierPredicate: String

    /// The texts of content that the scene prefers, in place of the predicate; absent if the predicate counts.
    public var preferring: [String]?

    /// The texts of content that the scene can display, in place of the predicate; absent if the predicate counts.
    public var allowing: [String]?

    /// Creates conditions; the defaults are the platform's.
    public init(
        can: String = "TRUEPREDICATE",
        prefers: String = "FALSEPREDICATE",
        preferring: [String]? = nil,
        allowing: [String]? = nil
    ) {
        canActivateForTargetContentIdentifierPredicate = can
        prefersToActivateForTargetContentIdentifierPredicate = prefers
        self.preferring = preferring
        self.allowing = allowing
    }

    private enum CodingKeys: String, CodingKey {
        case canActivateForTargetContentIdentifierPredicate
        case prefersToActivateForTargetContentIdentifierPredicate
        case preferring
        case allowing
    }

    /// Parses conditions; absent ones have their defaults.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            preferring: try container.decodeIfPresent([String].self, forKey: .preferring),
            allowing: try container.decodeIfPresent([String].self, forKey: .allowing)
        )
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

    /// Writes the conditions, without the default predicate of one that is written with texts.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        let standard = Self()
        let can = canActivateForTargetContentIdentifierPredicate
        if allowing == nil || can != standard.canActivateForTargetContentIdentifierPredicate {
            try container.encode(can, forKey: .canActivateForTargetContentIdentifierPredicate)
        }
        let prefers = prefersToActivateForTargetContentIdentifierPredicate
        if preferring == nil || prefers != standard.prefersToActivateForTargetContentIdentifierPredicate {
            try container.encode(prefers, forKey: .prefersToActivateForTargetContentIdentifierPredicate)
        }
        try container.encodeIfPresent(preferring, forKey: .preferring)
        try container.encodeIfPresent(allowing, forKey: .allowing)
    }
}

extension ActivationConditions {
    /// The condition for content that the scene can display, as it is written.
    public var canText: String {
        allowing.map { "allowing: \($0)" } ?? canActivateForTargetContentIdentifierPredicate
    }

    /// The condition for content that the scene prefers, as it is written.
    public var prefersText: String {
        preferring.map { "preferring: \($0)" } ?? prefersToActivateForTargetContentIdentifierPredicate
    }
}
