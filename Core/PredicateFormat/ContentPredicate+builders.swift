/// Predicates without a format.
///
/// What they say is what their canonical form says. They may become longer than a format may be: then they evaluate, but
/// cannot be packaged. Of many predicates, `any(of:)` and `all(of:)` make one at once; a chain of operators makes one at
/// each.
extension ContentPredicate {
    /// Returns the predicate `SELF == "text"`.
    public static func equals(_ text: String, _ options: Options = []) -> Self {
        comparison(.equals, text, options)
    }

    /// Returns the predicate `SELF BEGINSWITH "text"`.
    public static func beginsWith(_ text: String, _ options: Options = []) -> Self {
        comparison(.beginsWith, text, options)
    }

    /// Returns the predicate `SELF ENDSWITH "text"`.
    public static func endsWith(_ text: String, _ options: Options = []) -> Self {
        comparison(.endsWith, text, options)
    }

    /// Returns the predicate `SELF CONTAINS "text"`.
    public static func contains(_ text: String, _ options: Options = []) -> Self {
        comparison(.contains, text, options)
    }

    /// Returns the predicate `SELF LIKE "pattern"`; `*` stands for any text and `?` for any one character.
    public static func like(_ pattern: String, _ options: Options = []) -> Self {
        comparison(.like, pattern, options)
    }

    /// Returns the predicate `SELF IN {"text", …}`.
    public static func `in`(_ texts: some Sequence<String>) -> Self {
        let elements = texts.map { PredicateOperand.text(PredicateOperand.Text(value: $0)) }
        return comparison(.in, .aggregate(elements), [])
    }

    /// Returns the predicate `SELF BETWEEN {"lower", "upper"}`; both bounds are included.
    public static func between(_ bounds: ClosedRange<String>) -> Self {
        let elements = [bounds.lowerBound, bounds.upperBound].map {
            PredicateOperand.text(PredicateOperand.Text(value: $0))
        }
        return comparison(.between, .aggregate(elements), [])
    }

    /// Returns the predicate that holds where one of `predicates` does; never, where there are none.
    ///
    /// - Precondition: what comes of it is nested no deeper than 256.
    public static func any(of predicates: some Sequence<ContentPredicate>) -> Self {
        join(Array(predicates), by: PredicateTree.Node.or, empty: false)
    }

    /// Returns the predicate that holds where all of `predicates` do; always, where there are none.
    ///
    /// - Precondition: what comes of it is nested no deeper than 256.
    public static func all(of predicates: some Sequence<ContentPredicate>) -> Self {
        join(Array(predicates), by: PredicateTree.Node.and, empty: true)
    }

    /// Returns the predicate that holds where `predicate` does not.
    ///
    /// - Precondition: what comes of it is nested no deeper than 256.
    public static func not(_ predicate: ContentPredicate) -> Self {
        make(predicate.tree.nodes + [.not])
    }

    /// Returns the predicate that holds where `predicate` does not.
    public static prefix func ! (predicate: ContentPredicate) -> Self {
        not(predicate)
    }

    /// Returns the predicate that holds where both predicates do; a chain of `&&` is one `AND`.
    public static func && (left: ContentPredicate, right: ContentPredicate) -> Self {
        chain(left, right, by: PredicateTree.Node.and)
    }

    /// Returns the predicate that holds where one of the predicates does; a chain of `||` is one `OR`.
    public static func || (left: ContentPredicate, right: ContentPredicate) -> Self {
        chain(left, right, by: PredicateTree.Node.or)
    }

    private static func comparison(
        _ operation: PredicateComparison.Operation,
        _ text: String,
        _ options: Options
    ) -> Self {
        comparison(operation, .text(PredicateOperand.Text(value: text)), options)
    }

    private static func comparison(
        _ operation: PredicateComparison.Operation,
        _ right: PredicateOperand,
        _ options: Options
    ) -> Self {
        // Where the operator stands in the canonical form.
        let place = PredicateComparison.Place(offset: "SELF ".utf8.count)
        let comparison = PredicateComparison(
            left: .subject,
            operation: operation,
            options: options,
            right: right,
            place: place
        )
        return Self(PredicateTree(nodes: [.comparison(comparison)]))
    }

    private static func join(
        _ predicates: [ContentPredicate],
        by node: (Int) -> PredicateTree.Node,
        empty: Bool
    ) -> Self {
        switch predicates.count {
        case 0: Self(value: empty)
        case 1: predicates[0]
        default: make(predicates.flatMap(\.tree.nodes) + [node(predicates.count)])
        }
    }

    private static func make(_ nodes: [PredicateTree.Node]) -> Self {
        let tree = PredicateTree(nodes: nodes)
        precondition(tree.nesting <= PredicateParser.maximumNesting, "a predicate is nested deeper than 256 levels")
        return Self(tree)
    }

    /// Joins two predicates; where the left one is joined the same way, the right one becomes an operand more of it.
    private static func chain(
        _ left: ContentPredicate,
        _ right: ContentPredicate,
        by node: (Int) -> PredicateTree.Node
    ) -> Self {
        var nodes = left.tree.nodes
        var count = 2
        if let last = nodes.last, last.joinsLike(node(2)) {
            count = last.operandCount + 1
            nodes.removeLast()
        }
        return make(nodes + right.tree.nodes + [node(count)])
    }
}

extension ContentPredicate {
    /// Returns the predicate that a set of `handlesExternalEvents` stands for in SwiftUI.
    ///
    /// It holds where one of `texts` is contained in the identifier, whatever the case and the marks of the letters. `"*"`
    /// alone stands for anything; an empty set and an empty text for nothing (`View.handlesExternalEvents`).
    public static func externalEvents(matching texts: Set<String>) -> Self {
        if texts.contains("*") { return Self(value: true) }
        return any(
            of: texts.sorted().filter { !$0.isEmpty }.map { .contains($0, [.caseInsensitive, .diacriticInsensitive]) }
        )
    }
}
