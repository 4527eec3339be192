/// What a predicate says: its comparisons and what joins them, every operand before its operator.
///
/// In this order nothing that walks a predicate needs to recurse, however deep the predicate is.
struct PredicateTree: Sendable, Hashable {
    enum Node: Sendable, Hashable {
        case constant(Bool)
        case comparison(PredicateComparison)

        /// The negation of the operand before it.
        case not

        /// The join of as many operands before it, two or more: a chain that was written without parentheses is one.
        case and(Int)
        case or(Int)
    }

    var nodes: [Node]
}

extension PredicateTree.Node {
    /// How many operands stand before the node.
    var operandCount: Int {
        switch self {
        case .constant, .comparison: 0
        case .not: 1
        case .and(let count), .or(let count): count
        }
    }
}

extension PredicateTree {
    /// For every node the one that it is an operand of; for the last one, which is the whole, itself.
    ///
    /// - Complexity: O(n) for n nodes.
    var parents: [Int] {
        var parents = Array(nodes.indices)
        var waiting: [Int] = []
        for (index, node) in nodes.enumerated() {
            for operand in waiting.suffix(node.operandCount) { parents[operand] = index }
            waiting.removeLast(node.operandCount)
            waiting.append(index)
        }
        return parents
    }

    /// The operand that ends with the node at `index`, as a tree of its own.
    func subtree(endingAt index: Int) -> PredicateTree {
        var start = index
        var missing = nodes[index].operandCount
        while missing > 0 {
            start -= 1
            missing += nodes[start].operandCount - 1
        }
        return PredicateTree(nodes: Array(nodes[start...index]))
    }

    /// How deeply the predicate is nested: 0 for a comparison; a chain within a chain of the same operator adds nothing.
    ///
    /// - Complexity: O(n) for n nodes.
    var nesting: Int {
        var depths: [(depth: Int, node: Node)] = []
        for node in nodes {
            let operands = depths.suffix(node.operandCount)
            let deepest = operands.map { $0.node.joinsLike(node) ? $0.depth : $0.depth + 1 }.max() ?? 0
            depths.removeLast(node.operandCount)
            depths.append((deepest, node))
        }
        return depths.last?.depth ?? 0
    }
}

extension PredicateTree.Node {
    /// Whether both are chains of the same operator.
    func joinsLike(_ other: Self) -> Bool {
        switch (self, other) {
        case (.and, .and), (.or, .or): true
        default: false
        }
    }
}
