/// An operator with two operands: a leaf of a predicate.
struct PredicateComparison: Sendable, Hashable {
    /// The operators that an activation condition may use, with their canonical spelling.
    enum Operator: String, Sendable, CaseIterable {
        case equals = "=="
        case notEquals = "!="
        case lessThan = "<"
        case lessThanOrEqual = "<="
        case greaterThan = ">"
        case greaterThanOrEqual = ">="
        case between = "BETWEEN"
        case `in` = "IN"
        case contains = "CONTAINS"
        case beginsWith = "BEGINSWITH"
        case endsWith = "ENDSWITH"
        case like = "LIKE"
    }

    /// An offset in the format, in UTF-8 bytes.
    ///
    /// It is not part of a comparison's meaning, so all locations are equal.
    struct Location: Sendable, Hashable {
        var offset: Int

        static func == (_: Self, _: Self) -> Bool { true }

        func hash(into hasher: inout Hasher) {}
    }

    var left: PredicateOperand
    var comparisonOperator: Operator
    var options: ContentPredicate.Options
    var right: PredicateOperand

    /// The offset of the operator.
    var location: Location
}

extension PredicateComparison {
    /// The comparison as `NSComparisonPredicate` prints it.
    var canonicalText: String {
        "\(left.canonicalText) \(comparisonOperator.rawValue)\(options.canonicalText) \(right.canonicalText)"
    }
}
