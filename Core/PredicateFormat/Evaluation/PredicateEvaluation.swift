public import WaypostSchema

/// The result of a predicate for a value, and the part of the predicate that decided it.
///
/// The result is computed at once; the deciding part only on request.
public struct PredicateEvaluation: Sendable {
    /// The predicate.
    public let predicate: ContentPredicate

    /// The value of `SELF`.
    public let value: String

    private let outcome: PredicateProgram.Outcome

    init(_ predicate: ContentPredicate, of value: String) {
        self.predicate = predicate
        self.value = value
        outcome = predicate.program.run(on: value)
    }

    /// The result; false if there is an error, because the whole predicate then counts as false.
    public var result: Bool {
        outcome.answer == .yes
    }

    /// The reason that the predicate cannot be evaluated; `nil` if it can.
    public var error: ContentPredicateError? {
        outcome.error
    }

    /// The part of the predicate that decided the result, and the reason.
    ///
    /// It is the first operand that made an `OR` true or an `AND` false, down to a comparison. If no operand made an
    /// `OR` true, it is the whole `OR`; if all operands of an `AND` were true, the whole `AND`; for a `NOT`, its
    /// operand.
    ///
    /// - Complexity: O(n) for a predicate of n comparisons.
    public var deciding: DecidingPredicate {
        let tree = predicate.tree
        if let error {
            return DecidingPredicate(predicate: text(of: Int(outcome.leaf)), result: false, because: error.message)
        }
        let (index, result) = decidingNode(in: tree)
        return DecidingPredicate(
            predicate: text(of: index),
            result: result,
            because: tree.nodes[index].reason(for: result, of: value)
        )
    }

    private func text(of node: Int) -> String {
        let tree = predicate.tree
        return node == tree.nodes.count - 1 ? predicate.description : tree.subtree(endingAt: node).canonicalText
    }

    /// Returns the node that decided the result, and its own result.
    ///
    /// The last evaluated comparison decided every operator above it, unless the result of this one operand is not
    /// enough for an operator; all operands decided such an operator.
    private func decidingNode(in tree: PredicateTree) -> (index: Int, result: Bool) {
        let path = tree.path(from: Int(outcome.leaf))
        var answer = result
        for index in path where tree.nodes[index] == .not { answer.toggle() }
        var deciding = (index: Int(outcome.leaf), result: answer)
        for index in path {
            switch (tree.nodes[index], answer) {
            case (.not, _): answer.toggle()
            case (.and, true), (.or, false): deciding = (index, answer)
            default: break
            }
        }
        return deciding
    }
}

extension ContentPredicate {
    /// Evaluates the predicate on `value`, and keeps what `deciding` needs.
    public func evaluation(of value: String) -> PredicateEvaluation {
        PredicateEvaluation(self, of: value)
    }
}

extension PredicateTree {
    /// The nodes that contain a node, from its operator to the root.
    fileprivate func path(from index: Int) -> [Int] {
        let parents = parents
        var path: [Int] = []
        var index = index
        while parents[index] != index {
            index = parents[index]
            path.append(index)
        }
        return path
    }
}
