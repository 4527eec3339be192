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
        case (.real(let left), .real(let right)): left < right
        case (.integer(let left), .real(let right)): isLess(left, right)
        case (.real(let left), .integer(let right)): !isLess(right, left)
        }
    }

    /// Whether an integer is less than a real, which is not equal to any integer: exactly, as not every integer is a double.
    private static func isLess(_ integer: Int64, _ real: Double) -> Bool {
        if real >= 0x1p63 { return true }
        if real < -0x1p63 { return false }
        return integer <= Int64(real.rounded(.down))
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
