/// A number in a predicate; booleans are the numbers 1 and 0, as the platform prints and compares them.
enum PredicateNumber: Sendable, Hashable {
    case integer(Int64)

    /// A number that no `integer` is equal to.
    case real(Double)

    /// Creates the number `value`, which must be finite.
    init(_ value: Double) {
        self = Int64(exactly: value).map(Self.integer) ?? .real(value)
    }
}

extension PredicateNumber: Comparable {
    static func < (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): left < right
        default: left.double < right.double
        }
    }

    private var double: Double {
        switch self {
        case .integer(let value): Double(value)
        case .real(let value): value
        }
    }
}

extension PredicateNumber: CustomStringConvertible {
    /// The number in decimal, readable again as the same number.
    var description: String {
        switch self {
        case .integer(let value): value.description
        case .real(let value): value.description
        }
    }
}
