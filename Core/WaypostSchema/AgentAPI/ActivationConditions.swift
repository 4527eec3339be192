/// The content that a scene can display and prefers (`UISceneActivationConditions`), as predicate formats.
///
/// Each of the two conditions can be written as SwiftUI does instead (`handlesExternalEvents(preferring:allowing:)`):
/// with texts, one of which the identifier must contain.
public struct ActivationConditions: Codable, Sendable, Equatable {
    /// Whether the scene may be activated for an identifier if no scene prefers it; true for anything by default.
    public var canActivateForTargetContentIdentifierPredicate: String

    /// Whether the scene is preferred for an identifier over scenes that only can display it; false by default.
    public var prefersToActivateForTargetContentIdentifierPredicate: String

    /// The arguments for the placeholders of the *can* predicate; absent if it has none.
    ///
    /// An argument is a JSON value, or an object `{"value": NAME}` for a value of the app. In JSON, the predicate is
    /// then an object with `format` and `arguments`.
    public var canArguments: [JSONValue]?

    /// The arguments for the placeholders of the *prefers* predicate; absent if it has none.
    public var prefersArguments: [JSONValue]?

    /// The texts of content that the scene prefers, in place of the predicate; absent if the predicate counts.
    public var preferring: [String]?

    /// The texts of content that the scene can display, in place of the predicate; absent if the predicate counts.
    public var allowing: [String]?

    /// Creates conditions; the defaults are the platform's.
    public init(
        can: String = "TRUEPREDICATE",
        prefers: String = "FALSEPREDICATE",
        canArguments: [JSONValue]? = nil,
        prefersArguments: [JSONValue]? = nil,
        preferring: [String]? = nil,
        allowing: [String]? = nil
    ) {
        canActivateForTargetContentIdentifierPredicate = can
        prefersToActivateForTargetContentIdentifierPredicate = prefers
        self.canArguments = canArguments
        self.prefersArguments = prefersArguments
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
            ConditionFormat.self,
            forKey: .canActivateForTargetContentIdentifierPredicate
        ) {
            canActivateForTargetContentIdentifierPredicate = can.format
            canArguments = can.arguments
        }
        if let prefers = try container.decodeIfPresent(
            ConditionFormat.self,
            forKey: .prefersToActivateForTargetContentIdentifierPredicate
        ) {
            prefersToActivateForTargetContentIdentifierPredicate = prefers.format
            prefersArguments = prefers.arguments
        }
    }

    /// Writes the conditions, without the default predicate of one that is written with texts.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        let standard = Self()
        let can = ConditionFormat(format: canActivateForTargetContentIdentifierPredicate, arguments: canArguments)
        if allowing == nil || canArguments != nil
            || can.format != standard.canActivateForTargetContentIdentifierPredicate
        {
            try container.encode(can, forKey: .canActivateForTargetContentIdentifierPredicate)
        }
        let prefers = ConditionFormat(
            format: prefersToActivateForTargetContentIdentifierPredicate,
            arguments: prefersArguments
        )
        if preferring == nil || prefersArguments != nil
            || prefers.format != standard.prefersToActivateForTargetContentIdentifierPredicate
        {
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

/// A predicate as people write it: a format alone, or an object with the arguments for its placeholders.
private struct ConditionFormat: Codable {
    var format: String
    var arguments: [JSONValue]?

    private enum CodingKeys: CodingKey {
        case format
        case arguments
    }

    init(format: String, arguments: [JSONValue]?) {
        self.format = format
        self.arguments = arguments
    }

    init(from decoder: any Decoder) throws {
        if let format = try? decoder.singleValueContainer().decode(String.self) {
            self.init(format: format, arguments: nil)
            return
        }
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            format: try container.decode(String.self, forKey: .format),
            arguments: try container.decode([JSONValue].self, forKey: .arguments)
        )
    }

    func encode(to encoder: any Encoder) throws {
        guard let arguments else {
            var container = encoder.singleValueContainer()
            return try container.encode(format)
        }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(format, forKey: .format)
        try container.encode(arguments, forKey: .arguments)
    }
}
