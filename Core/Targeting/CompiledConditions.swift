public import PredicateFormat
public import WaypostSchema

/// The activation conditions of a scene, ready to be evaluated.
///
/// They travel packaged, as their predicates do, and are checked where they arrive.
public struct CompiledConditions: Sendable, Equatable, Codable {
    private typealias CodingKeys = ConditionError.Condition

    /// Whether the scene can display the content.
    public var can: ContentPredicate

    /// Whether the scene prefers the content.
    public var prefers: ContentPredicate

    /// Creates conditions; the defaults are the platform's: anything can be displayed, nothing is preferred.
    public init(
        can: ContentPredicate = ContentPredicate(value: true),
        prefers: ContentPredicate = ContentPredicate(value: false)
    ) {
        self.can = can
        self.prefers = prefers
    }

    /// Compiles conditions.
    ///
    /// - Throws: `ConditionError` naming the condition that cannot be used, and where.
    public init(_ conditions: ActivationConditions) throws(ConditionError) {
        can = try Self.compile(conditions.canActivateForTargetContentIdentifierPredicate, .can)
        prefers = try Self.compile(conditions.prefersToActivateForTargetContentIdentifierPredicate, .prefers)
    }

    /// Unpacks conditions, and checks them; what is absent has its default.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        can = try container.decodeIfPresent(ContentPredicate.self, forKey: .can) ?? can
        prefers = try container.decodeIfPresent(ContentPredicate.self, forKey: .prefers) ?? prefers
    }

    /// Creates the conditions that `handlesExternalEvents(preferring:allowing:)` stands for in SwiftUI.
    ///
    /// A view that is modified several times has the unions of its sets; a view that is not modified has no conditions
    /// but the platform's defaults.
    ///
    /// - Parameters:
    ///   - preferring: of texts one of which is contained in what the scene prefers; `"*"` for anything.
    ///   - allowing: of texts one of which is contained in what the scene can display; `"*"` for anything.
    /// - Returns: the conditions.
    public static func handlesExternalEvents(preferring: Set<String>, allowing: Set<String>) -> Self {
        Self(can: .externalEvents(matching: allowing), prefers: .externalEvents(matching: preferring))
    }

    private static func compile(
        _ format: String,
        _ condition: ConditionError.Condition
    ) throws(ConditionError) -> ContentPredicate {
        do {
            return try ContentPredicate(format: format)
        } catch {
            throw ConditionError(condition: condition, predicateError: error)
        }
    }
}
