public import WaypostSchema

/// How a predicate was answered for a value, and which part of it decided.
///
/// The answer is there at once; what decided it is worked out when it is asked for.
public struct PredicateEvaluation: Sendable {
    /// The predicate.
    public let predicate: ContentPredicate

    /// What `SELF` stood for.
    public let value: String

    private let outcome: PredicateProgram.Outcome

    init(_ predicate: ContentPredicate, of value: String) {
        self.predicate = predicate
        self.value = value
        outcome = predicate.program.run(on: value)
    }

    /// The answer; false where there is none, as the whole predicate then counts as false.
    public var result: Bool {
        outcome.answer == .yes
    }

    /// Why there is no answer.
    public var error: ContentPredicateError? {
        outcome.error
    }

    /// The part of the predicate that decided, and why.
    ///
    /// It is the first operand that made an `OR` true or an `AND` false, down to a comparison; the whole `OR` where none
    /// did, the whole `AND` where all held; and what is beneath a `NOT`.
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

    /// Returns the node that decided and its answer.
    ///
    /// The comparison that was evaluated last is the one on which everything above it depended. On the way from there to
    /// the root, an operator for which the answer of that operand alone is not enough has been decided by all of them.
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
    /// Evaluates the predicate on `value`, and keeps what is needed to say which part of it decided.
    public func evaluation(of value: String) -> PredicateEvaluation {
        PredicateEvaluation(self, of: value)
    }
}

extension PredicateTree {
    /// The nodes that a node is part of, from its operator to the whole.
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
