public import WaypostSchema

/// Why a scene's activation conditions cannot be used.
public struct ConditionError: Error, Sendable, Equatable {
    /// One of the two conditions, by the name of its property.
    public enum Condition: String, CodingKey, Sendable {
        case can = "canActivateForTargetContentIdentifierPredicate"
        case prefers = "prefersToActivateForTargetContentIdentifierPredicate"
    }

    /// Which of the two conditions.
    public var condition: Condition

    /// What is wrong with it.
    public var predicateError: ContentPredicateError
}

extension ConditionError: CustomStringConvertible {
    /// A sentence for a person that names the condition and the place.
    public var description: String {
        "\(condition.rawValue), offset \(predicateError.offset): \(predicateError.message)"
    }
}
