public import PredicateFormat
public import WaypostSchema

/// The activation conditions of a scene, ready to be evaluated.
public struct CompiledConditions: Sendable, Equatable {
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
    /// - Throws: `ConditionFault` naming the condition that cannot be used, and where.
    public init(_ conditions: ActivationConditions) throws(ConditionFault) {
        can = try Self.compile(conditions.canActivateForTargetContentIdentifierPredicate, .can)
        prefers = try Self.compile(conditions.prefersToActivateForTargetContentIdentifierPredicate, .prefers)
    }

    private static func compile(
        _ format: String,
        _ condition: ConditionFault.Condition
    ) throws(ConditionFault) -> ContentPredicate {
        do {
            return try ContentPredicate(format: format)
        } catch {
            throw ConditionFault(condition: condition, fault: error)
        }
    }
}

/// Why a scene's activation conditions cannot be used.
public struct ConditionFault: Error, Sendable, Equatable {
    /// One of the two conditions, by the name of its property.
    public enum Condition: String, Sendable {
        case can = "canActivateForTargetContentIdentifierPredicate"
        case prefers = "prefersToActivateForTargetContentIdentifierPredicate"
    }

    /// Which of the two conditions.
    public var condition: Condition

    /// What is wrong with it.
    public var fault: PredicateFault
}

extension ConditionFault: CustomStringConvertible {
    /// A sentence for a person that names the condition and the place.
    public var description: String {
        "\(condition.rawValue), offset \(fault.offset): \(fault.message)"
    }
}
