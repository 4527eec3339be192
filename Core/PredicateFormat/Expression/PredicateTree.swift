/// A parsed predicate: its comparisons and their operators, with every operand before its operator.
///
/// In this order, code that processes a predicate does not need recursion, however deep the predicate is.
struct PredicateTree: Sendable, Hashable {
    enum Node: Sendable, Hashable {
        case constant(Bool)
        case comparison(PredicateComparison)

        /// The negation of the operand before it.
        case not

        /// The conjunction of as many operands before it as the value says, at least two; `a AND b AND c` is one node.
        case and(Int)

        /// The disjunction of as many operands before it as the value says, at least two.
        case or(Int)
    }

    var nodes: [Node]
}

extension PredicateTree.Node {
    /// The number of operands before the node.
    var operandCount: Int {
        switch self {
        case .constant, .comparison: 0
        case .not: 1
        case .and(let count), .or(let count): count
        }
    }
}

extension PredicateTree {
    /// For each node, the index of the node of which it is an operand; for the last node, the root, its own index.
    ///
    /// - Complexity: O(n) for n nodes.
    var parents: [Int] {
        var parents = Array(nodes.indices)
        var pendingOperands: [Int] = []
        for (index, node) in nodes.enumerated() {
            for operand in pendingOperands.suffix(node.operandCount) { parents[operand] = index }
            pendingOperands.removeLast(node.operandCount)
            pendingOperands.append(index)
        }
        return parents
    }

    /// Returns the operand that ends with the node at `index`, as a separate tree.
    func subtree(endingAt index: Int) -> PredicateTree {
        var start = index
        var remainingOperandCount = nodes[index].operandCount
        while remainingOperandCount > 0 {
            start -= 1
            remainingOperandCount += nodes[start].operandCount - 1
        }
        return PredicateTree(nodes: Array(nodes[start...index]))
    }

    /// The nesting depth of the predicate: 0 for a comparison; an `AND` in an `AND`, or an `OR` in an `OR`, adds no
    /// level.
    ///
    /// - Complexity: O(n) for n nodes.
    var nestingDepth: Int {
        var depths: [(depth: Int, node: Node)] = []
        for node in nodes {
            let operands = depths.suffix(node.operandCount)
            let deepest = operands.map { $0.node.hasSameConnective(as: node) ? $0.depth : $0.depth + 1 }.max() ?? 0
            depths.removeLast(node.operandCount)
            depths.append((deepest, node))
        }
        return depths.last?.depth ?? 0
    }
}

extension PredicateTree.Node {
    /// Returns whether both nodes are `AND`, or both are `OR`.
    func hasSameConnective(as other: Self) -> Bool {
        switch (self, other) {
        case (.and, .and), (.or, .or): true
        default: false
        }
    }
}
