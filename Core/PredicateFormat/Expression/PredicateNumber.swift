/// A number in a predicate; booleans are the numbers 1 and 0, as the platform prints and compares them.
enum PredicateNumber: Sendable, Hashable {
    case integer(Int64)

    /// A number that does not equal any `integer`.
    case real(Double)

    /// Creates a number from `value`, which must be finite.
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

    /// Returns whether an integer is less than a real that does not equal any integer.
    ///
    /// The result is exact, although a double cannot represent every integer.
    private static func isLess(_ integer: Int64, _ real: Double) -> Bool {
        if real >= 0x1p63 { return true }
        if real < -0x1p63 { return false }
        return integer <= Int64(real.rounded(.down))
    }
}

extension PredicateNumber: CustomStringConvertible {
    /// The number in decimal; parsing it gives the same number.
    var description: String {
        switch self {
        case .integer(let value): value.description
        case .real(let value): value.description
        }
    }
}
