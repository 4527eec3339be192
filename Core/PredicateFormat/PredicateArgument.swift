public import WaypostSchema

/// A value that can replace a placeholder in a predicate format.
public protocol PredicateArgument: Sendable {
    /// The value as a constant of a predicate.
    var predicateValue: PredicateValue { get }
}

/// A constant of a predicate.
public enum PredicateValue: Sendable, Hashable {
    /// A string.
    case string(String)

    /// A whole number; booleans are 1 and 0.
    case integer(Int64)

    /// A number; a format does not accept one that is not finite.
    case real(Double)

    /// An aggregate, `{…}`.
    case aggregate([PredicateValue])

    /// `NIL`.
    case nothing
}

extension PredicateValue: PredicateArgument {
    /// The value itself.
    public var predicateValue: PredicateValue { self }
}

extension String: PredicateArgument {
    /// The text.
    public var predicateValue: PredicateValue { .string(self) }
}

extension Substring: PredicateArgument {
    /// The text.
    public var predicateValue: PredicateValue { .string(String(self)) }
}

extension TargetContentIdentifier: PredicateArgument {
    /// The identifier's text.
    public var predicateValue: PredicateValue { .string(rawValue) }
}

extension Int: PredicateArgument {
    /// The number.
    public var predicateValue: PredicateValue { .integer(Int64(self)) }
}

extension Double: PredicateArgument {
    /// The number.
    public var predicateValue: PredicateValue { .real(self) }
}

extension Bool: PredicateArgument {
    /// 1 or 0, which represent booleans in predicates.
    public var predicateValue: PredicateValue { .integer(self ? 1 : 0) }
}

extension Array: PredicateArgument where Element: PredicateArgument {
    /// The elements as an aggregate.
    public var predicateValue: PredicateValue { .aggregate(map(\.predicateValue)) }
}

extension Optional: PredicateArgument where Wrapped: PredicateArgument {
    /// The wrapped value, or `NIL`.
    public var predicateValue: PredicateValue { self?.predicateValue ?? .nothing }
}
