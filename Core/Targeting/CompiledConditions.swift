public import PredicateFormat
public import WaypostSchema

/// The activation conditions of a scene, ready for evaluation.
///
/// Like their predicates, they are sent in packaged form, and the receiver checks them.
public struct CompiledConditions: Sendable, Equatable, Codable {
    private typealias CodingKeys = ConditionError.Condition

    /// Whether the scene can display the content.
    public var can: ContentPredicate {
        didSet { texts[.can] = nil }
    }

    /// Whether the scene prefers the content.
    public var prefers: ContentPredicate {
        didSet { texts[.prefers] = nil }
    }

    /// The conditions that are written with texts instead of predicates, as they are written; for reports.
    ///
    /// They are not sent, and a condition that replaces another one has none.
    private(set) var texts: [ConditionError.Condition: String] = [:]

    /// Creates conditions; by default, as on the platform, a scene can display anything and prefers nothing.
    public init(
        can: ContentPredicate = ContentPredicate(value: true),
        prefers: ContentPredicate = ContentPredicate(value: false)
    ) {
        self.can = can
        self.prefers = prefers
    }

    /// Compiles conditions; their arguments may not name values of an app.
    ///
    /// - Throws: `ConditionError` with the invalid condition and the offset in it, also if a condition is written both
    ///   as a predicate and with texts.
    public init(_ conditions: ActivationConditions) throws(ConditionError) {
        let conditions = try conditions.packaged()
        let standard = ActivationConditions()
        can = try Self.compile(
            conditions.canActivateForTargetContentIdentifierPredicate,
            .can,
            or: conditions.allowing,
            default: standard.canActivateForTargetContentIdentifierPredicate
        )
        prefers = try Self.compile(
            conditions.prefersToActivateForTargetContentIdentifierPredicate,
            .prefers,
            or: conditions.preferring,
            default: standard.prefersToActivateForTargetContentIdentifierPredicate
        )
        if conditions.allowing != nil { texts[.can] = conditions.canText }
        if conditions.preferring != nil { texts[.prefers] = conditions.prefersText }
    }

    /// Unpacks and checks conditions; an absent condition gets its default.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        can = try container.decodeIfPresent(ContentPredicate.self, forKey: .can) ?? can
        prefers = try container.decodeIfPresent(ContentPredicate.self, forKey: .prefers) ?? prefers
    }

    /// Returns whether the predicates are equal, however they are written.
    public static func == (left: Self, right: Self) -> Bool {
        left.can == right.can && left.prefers == right.prefers
    }

    /// Creates the conditions that SwiftUI's `handlesExternalEvents(preferring:allowing:)` represents.
    ///
    /// If a view has the modifier several times, pass the unions of its sets. A view without the modifier has the
    /// platform's default conditions.
    ///
    /// - Parameters:
    ///   - preferring: texts; the scene prefers an identifier that contains one of them; `"*"` matches anything.
    ///   - allowing: texts; the scene can display an identifier that contains one of them; `"*"` matches anything.
    /// - Returns: the conditions.
    public static func handlesExternalEvents(preferring: Set<String>, allowing: Set<String>) -> Self {
        Self(can: .externalEvents(matching: allowing), prefers: .externalEvents(matching: preferring))
    }

    /// Compiles a condition, which is a predicate, or texts beside the default predicate.
    private static func compile(
        _ format: String,
        _ condition: ConditionError.Condition,
        or texts: [String]?,
        default standard: String
    ) throws(ConditionError) -> ContentPredicate {
        do throws(ContentPredicateError) {
            guard let texts else { return try ContentPredicate(format: format) }
            guard format == standard else {
                let message = "'\(condition.textsName)' is the same condition; write only one of them"
                throw ContentPredicateError(code: .forbidden, message: message, offset: 0)
            }
            // The limits of predicates hold for texts too, so the predicate is parsed again.
            return try ContentPredicate(format: ContentPredicate.externalEvents(matching: Set(texts)).description)
        } catch {
            throw ConditionError(condition: condition, predicateError: error)
        }
    }
}
