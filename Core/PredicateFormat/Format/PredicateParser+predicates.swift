internal import WaypostSchema

extension PredicateParser {
    /// A parsed term: a predicate, whose nodes are stored separately, or an operand without a comparison.
    enum Term {
        case predicate(Clause)
        case operand(PredicateOperand, parenthesisDepth: Int)
    }

    /// The properties of a parsed predicate that its surroundings need.
    struct Clause {
        /// The root node of the predicate.
        var node: PredicateTree.Node
        var nesting = 0
        var isInParentheses = false
    }

    /// A chain whose operands are being parsed.
    private struct Chain {
        var count = 0
        var nesting = 0
        var lastClause: Clause?

        mutating func append(_ clause: Clause, joinedBy node: PredicateTree.Node) {
            count += 1
            nesting = max(nesting, clause.node.hasSameConnective(as: node) ? clause.nesting : clause.nesting + 1)
            lastClause = clause
        }
    }

    /// A pair of parentheses whose end has not been parsed, or the whole format.
    private struct Group {
        /// The offset of the opening parenthesis; `nil` for the whole format.
        var openingOffset: Int?
        var disjunction = Chain()
        var conjunction = Chain()

        /// The number of `NOT` before the operand that is being parsed.
        var negations = 0

        /// Whether no part of the group has been parsed yet.
        var isEmpty: Bool {
            disjunction.count == 0 && conjunction.count == 0 && negations == 0
        }
    }

    /// Parses a predicate, or an operand without an operator after it.
    mutating func parseTerm() throws(ContentPredicateError) -> Term {
        var groups = [Group(openingOffset: nil)]
        while true {
            try openGroups(&groups)
            var term = try parseFactor()
            while true {
                if case .operand(let operand, let parenthesisDepth) = term {
                    guard
                        let outer = try closeGroup(of: &groups, around: operand, parenthesisDepth: parenthesisDepth)
                    else { return term }
                    term = outer
                }
                guard case .predicate(let clause) = term else { continue }
                try append(clause, to: &groups[groups.count - 1])
                if try skip("AND", or: "&&") { break }
                try endConjunction(of: &groups[groups.count - 1])
                if try skip("OR", or: "||") { break }
                let whole = try endDisjunction(of: groups[groups.count - 1])
                guard groups.count > 1 else { return .predicate(whole) }
                term = .predicate(try close(groups.removeLast(), around: whole))
            }
        }
    }

    /// Parses the negations and opening parentheses before an operand.
    private mutating func openGroups(_ groups: inout [Group]) throws(ContentPredicateError) {
        while true {
            if try skip("NOT", or: "!") {
                groups[groups.count - 1].negations += 1
            } else if current.kind == .symbol("(") {
                groups.append(Group(openingOffset: current.offset))
                try advance()
            } else {
                return
            }
        }
    }

    /// Parses the closing parenthesis after an operand that is not compared yet; its comparison may follow.
    ///
    /// - Returns: the term after the closing parenthesis, or `nil` if no parenthesis is open.
    private mutating func closeGroup(
        of groups: inout [Group],
        around operand: PredicateOperand,
        parenthesisDepth: Int
    ) throws(ContentPredicateError) -> Term? {
        let group = groups[groups.count - 1]
        guard group.isEmpty else { throw missingOperatorError() }
        guard let opening = group.openingOffset else { return nil }
        guard current.kind == .symbol(")") else { throw missingOperatorError() }
        try checkNesting(parenthesisDepth + 1, at: opening)
        groups.removeLast()
        try advance()
        return try parseComparison(from: operand, startingAt: opening, parenthesisDepth: parenthesisDepth + 1)
    }

    private mutating func append(_ clause: Clause, to group: inout Group) throws(ContentPredicateError) {
        var clause = clause
        while group.negations > 0 {
            group.negations -= 1
            nodes.append(.not)
            clause = Clause(node: .not, nesting: clause.nesting + 1)
            try checkNesting(clause.nesting, at: current.offset)
        }
        group.conjunction.append(clause, joinedBy: .and(0))
    }

    private mutating func endConjunction(of group: inout Group) throws(ContentPredicateError) {
        let clause = try end(group.conjunction, as: .and(group.conjunction.count), at: group.openingOffset)
        group.conjunction = Chain()
        group.disjunction.append(clause, joinedBy: .or(0))
    }

    private mutating func endDisjunction(of group: Group) throws(ContentPredicateError) -> Clause {
        try end(group.disjunction, as: .or(group.disjunction.count), at: group.openingOffset)
    }

    private mutating func end(
        _ chain: Chain,
        as node: PredicateTree.Node,
        at opening: Int?
    ) throws(ContentPredicateError) -> Clause {
        if chain.count == 1, let onlyClause = chain.lastClause { return onlyClause }
        try checkNesting(chain.nesting, at: opening ?? 0)
        nodes.append(node)
        return Clause(node: node, nesting: chain.nesting)
    }

    /// Parses the end of `group`; parentheses that the canonical text does not have count as a nesting level.
    private mutating func close(_ group: Group, around clause: Clause) throws(ContentPredicateError) -> Clause {
        let opening = group.openingOffset ?? 0
        guard current.kind == .symbol(")") else {
            throw error(expecting: "AND, OR or the ')' that closes the '(' at offset \(opening)")
        }
        try advance()
        var clause = clause
        if clause.isInParentheses || clause.node.operandCount == 0 {
            clause.nesting += 1
            try checkNesting(clause.nesting, at: opening)
        }
        clause.isInParentheses = true
        return clause
    }

    private mutating func parseFactor() throws(ContentPredicateError) -> Term {
        if try skip("TRUEPREDICATE") { return appendNode(.constant(true)) }
        if try skip("FALSEPREDICATE") { return appendNode(.constant(false)) }
        if let word = current.keyword, PredicateVocabulary.qualifiers.contains(word) {
            recordForbidden(.qualifier(word), at: current.offset)
            try advance()
        }
        let start = current.offset
        return try parseComparison(from: try parseOperand(), startingAt: start, parenthesisDepth: 0)
    }
}
