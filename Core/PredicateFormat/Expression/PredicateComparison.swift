/// An operator with two operands: a leaf of a predicate.
struct PredicateComparison: Sendable, Hashable {
    /// The operators that an activation condition may use, with their canonical spelling.
    enum Operation: String, Sendable, CaseIterable {
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
    /// It is not part of a comparison's meaning, so all places are equal.
    struct Place: Sendable, Hashable {
        var offset: Int

        static func == (_: Self, _: Self) -> Bool { true }

        func hash(into hasher: inout Hasher) {}
    }

    var left: PredicateOperand
    var operation: Operation
    var options: ContentPredicate.Options
    var right: PredicateOperand

    /// The offset of the operator.
    var place: Place
}

extension PredicateComparison {
    /// The comparison as `NSComparisonPredicate` prints it.
    var canonicalText: String {
        "\(left.canonicalText) \(operation.rawValue)\(options.canonicalText) \(right.canonicalText)"
    }
}
