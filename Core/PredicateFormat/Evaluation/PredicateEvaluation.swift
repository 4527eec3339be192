public import WaypostSchema

/// The result of a predicate for a value, and the part of the predicate that decided it.
///
/// The initializer computes the result; `decidingPredicate` computes the deciding part when it is read.
public struct PredicateEvaluation: Sendable {
    /// The predicate.
    public let predicate: ContentPredicate

    /// The value of `SELF`.
    public let value: String

    private let outcome: PredicateProgram.Outcome

    init(_ predicate: ContentPredicate, with value: String) {
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
    /// If one operand made an `OR` true or an `AND` false, that operand decided; within it, the same rule applies, down
    /// to a comparison. If no operand made an `OR` true, or none made an `AND` false, the whole `OR` or `AND` decided.
    /// For a `NOT`, its operand decided.
    ///
    /// - Complexity: O(n) for a predicate of n comparisons.
    public var decidingPredicate: DecidingPredicate {
        let tree = predicate.tree
        if let error {
            return DecidingPredicate(
                predicate: canonicalText(ofNodeAt: Int(outcome.nodeIndex)),
                result: false,
                because: error.message
            )
        }
        let (index, result) = decidingNode(in: tree)
        return DecidingPredicate(
            predicate: canonicalText(ofNodeAt: index),
            result: result,
            because: tree.nodes[index].reason(for: result, of: value)
        )
    }

    private func canonicalText(ofNodeAt index: Int) -> String {
        let tree = predicate.tree
        return index == tree.nodes.count - 1 ? predicate.description : tree.subtree(endingAt: index).canonicalText
    }

    /// Returns the node that decided the result, and its own result.
    ///
    /// Evaluation stops at the comparison that decides. That comparison also decides each operator above it, except a
    /// true `AND` and a false `OR`, whose results need all operands.
    private func decidingNode(in tree: PredicateTree) -> (index: Int, result: Bool) {
        let ancestors = tree.ancestors(of: Int(outcome.nodeIndex))
        var answer = result
        for index in ancestors where tree.nodes[index] == .not { answer.toggle() }
        var decidingNode = (index: Int(outcome.nodeIndex), result: answer)
        for index in ancestors {
            switch (tree.nodes[index], answer) {
            case (.not, _): answer.toggle()
            case (.and, true), (.or, false): decidingNode = (index, answer)
            default: break
            }
        }
        return decidingNode
    }
}

extension ContentPredicate {
    /// Returns the evaluation of the predicate for `value`, the value of `SELF`.
    public func evaluation(with value: String) -> PredicateEvaluation {
        PredicateEvaluation(self, with: value)
    }
}

extension PredicateTree {
    /// Returns the nodes that contain the node at `index`, from its operator to the root.
    fileprivate func ancestors(of index: Int) -> [Int] {
        let parents = parents
        var ancestors: [Int] = []
        var index = index
        while parents[index] != index {
            index = parents[index]
            ancestors.append(index)
        }
        return ancestors
    }
}
