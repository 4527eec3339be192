public import WaypostSchema

/// The reason that a scene's activation conditions cannot be used.
public struct ConditionError: Error, Sendable, Equatable {
    /// A condition, identified by the name of its property.
    public enum Condition: String, CodingKey, Sendable {
        case can = "canActivateForTargetContentIdentifierPredicate"
        case prefers = "prefersToActivateForTargetContentIdentifierPredicate"
    }

    /// The invalid condition.
    public var condition: Condition

    /// The error in the condition.
    public var predicateError: ContentPredicateError
}

extension ConditionError.Condition {
    /// The name of the condition in SwiftUI, which takes texts.
    var textsName: String {
        switch self {
        case .can: "allowing"
        case .prefers: "preferring"
        }
    }
}

extension ConditionError: CustomStringConvertible {
    /// A human-readable sentence with the condition and the offset.
    public var description: String {
        "\(condition.rawValue), offset \(predicateError.offset): \(predicateError.message)"
    }
}
