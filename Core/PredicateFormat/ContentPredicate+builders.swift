/// Predicates built in Swift, without a format string.
///
/// A built predicate may exceed the maximum length of a format: it can then be evaluated, but not packaged. To join
/// many predicates, use `any(of:)` or `all(of:)`, which create one predicate; a chain of operators creates one at each
/// operator.
extension ContentPredicate {
    /// Returns the predicate `SELF == "text"`.
    public static func equals(_ text: String, _ options: Options = []) -> Self {
        comparison(.equals, text, options: options)
    }

    /// Returns the predicate `SELF BEGINSWITH "text"`.
    public static func beginsWith(_ text: String, _ options: Options = []) -> Self {
        comparison(.beginsWith, text, options: options)
    }

    /// Returns the predicate `SELF ENDSWITH "text"`.
    public static func endsWith(_ text: String, _ options: Options = []) -> Self {
        comparison(.endsWith, text, options: options)
    }

    /// Returns the predicate `SELF CONTAINS "text"`.
    public static func contains(_ text: String, _ options: Options = []) -> Self {
        comparison(.contains, text, options: options)
    }

    /// Returns the predicate `SELF LIKE "pattern"`; `*` matches any text and `?` any one character.
    public static func like(_ pattern: String, _ options: Options = []) -> Self {
        comparison(.like, pattern, options: options)
    }

    /// Returns the predicate `SELF IN {"text", …}`.
    public static func `in`(_ texts: some Sequence<String>) -> Self {
        let elements = texts.map { PredicateOperand.string(PredicateOperand.StringValue(value: $0)) }
        return comparison(.in, .aggregate(elements), options: [])
    }

    /// Returns the predicate `SELF BETWEEN {"lower", "upper"}`; both bounds are included.
    public static func between(_ bounds: ClosedRange<String>) -> Self {
        let elements = [bounds.lowerBound, bounds.upperBound].map {
            PredicateOperand.string(PredicateOperand.StringValue(value: $0))
        }
        return comparison(.between, .aggregate(elements), options: [])
    }

    /// Returns the predicate that is true if one of `predicates` is true, and false if there are none.
    ///
    /// - Precondition: the result is nested no deeper than 256 levels.
    public static func any(of predicates: some Sequence<ContentPredicate>) -> Self {
        join(Array(predicates), by: PredicateTree.Node.or, valueIfEmpty: false)
    }

    /// Returns the predicate that is true if all of `predicates` are true, also if there are none.
    ///
    /// - Precondition: the result is nested no deeper than 256 levels.
    public static func all(of predicates: some Sequence<ContentPredicate>) -> Self {
        join(Array(predicates), by: PredicateTree.Node.and, valueIfEmpty: true)
    }

    /// Returns the predicate that is true if `predicate` is false.
    ///
    /// - Precondition: the result is nested no deeper than 256 levels.
    public static func not(_ predicate: ContentPredicate) -> Self {
        make(predicate.tree.nodes + [.not])
    }

    /// Returns the predicate that is true if `predicate` is false.
    public static prefix func ! (predicate: ContentPredicate) -> Self {
        not(predicate)
    }

    /// Returns the predicate that is true if both predicates are true; a chain of `&&` becomes one `AND`.
    public static func && (left: ContentPredicate, right: ContentPredicate) -> Self {
        chain(left, right, by: PredicateTree.Node.and)
    }

    /// Returns the predicate that is true if one of the predicates is true; a chain of `||` becomes one `OR`.
    public static func || (left: ContentPredicate, right: ContentPredicate) -> Self {
        chain(left, right, by: PredicateTree.Node.or)
    }

    private static func comparison(
        _ comparisonOperator: PredicateComparison.Operator,
        _ text: String,
        options: Options
    ) -> Self {
        comparison(comparisonOperator, .string(PredicateOperand.StringValue(value: text)), options: options)
    }

    private static func comparison(
        _ comparisonOperator: PredicateComparison.Operator,
        _ right: PredicateOperand,
        options: Options
    ) -> Self {
        // The offset of the operator in the canonical form.
        let location = PredicateComparison.Location(offset: "SELF ".utf8.count)
        let comparison = PredicateComparison(
            left: .subject,
            comparisonOperator: comparisonOperator,
            options: options,
            right: right,
            location: location
        )
        return Self(PredicateTree(nodes: [.comparison(comparison)]))
    }

    private static func join(
        _ predicates: [ContentPredicate],
        by node: (Int) -> PredicateTree.Node,
        valueIfEmpty: Bool
    ) -> Self {
        switch predicates.count {
        case 0: Self(value: valueIfEmpty)
        case 1: predicates[0]
        default: make(predicates.flatMap(\.tree.nodes) + [node(predicates.count)])
        }
    }

    private static func make(_ nodes: [PredicateTree.Node]) -> Self {
        let tree = PredicateTree(nodes: nodes)
        precondition(
            tree.nestingDepth <= PredicateParser.maximumNesting,
            "a predicate is nested deeper than 256 levels"
        )
        return Self(tree)
    }

    /// Joins two predicates; if the left one is already such a join, appends the right one to its operands.
    private static func chain(
        _ left: ContentPredicate,
        _ right: ContentPredicate,
        by node: (Int) -> PredicateTree.Node
    ) -> Self {
        var nodes = left.tree.nodes
        var count = 2
        if let last = nodes.last, last.hasSameConnective(as: node(2)) {
            count = last.operandCount + 1
            nodes.removeLast()
        }
        return make(nodes + right.tree.nodes + [node(count)])
    }
}

extension ContentPredicate {
    /// Returns the predicate that SwiftUI's `handlesExternalEvents` derives from a set of texts.
    ///
    /// It is true if the identifier contains one of `texts`, ignoring case and diacritics. A `"*"` in the set matches
    /// anything; an empty set or an empty text matches nothing (`View.handlesExternalEvents`).
    public static func externalEvents(matching texts: Set<String>) -> Self {
        if texts.contains("*") { return Self(value: true) }
        return any(
            of: texts.sorted().filter { !$0.isEmpty }.map { .contains($0, [.caseInsensitive, .diacriticInsensitive]) }
        )
    }
}
