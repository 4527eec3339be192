internal import WaypostSchema

extension PredicateParser {
    /// Parses the rest of a comparison after its operand `left`, or nothing if no operator follows.
    mutating func parseComparison(
        from left: PredicateOperand,
        startingAt start: Int,
        parenthesisDepth: Int
    ) throws(ContentPredicateError) -> Term {
        let left = try parseRest(of: left, startingAt: start)
        let offset = current.offset
        if try skip("MATCHES") {
            recordForbidden(.regularExpression, at: offset)
            _ = try parseOptions()
            _ = try parseOperand()
            return appendNode(.constant(false), nesting: parenthesisDepth)
        }
        if let word = current.keyword, PredicateVocabulary.typeIdentifierOperators.contains(word) {
            recordForbidden(.typeIdentifierOperator(word), at: offset)
            try advance()
            _ = try parseOperand()
            return appendNode(.constant(false), nesting: parenthesisDepth)
        }
        guard let comparisonOperator = comparisonOperator(of: current) else {
            // A block is a predicate without an operator, as the platform prints it; it was recorded as forbidden.
            if block == start..<offset { return appendNode(.constant(false), nesting: parenthesisDepth) }
            return .operand(left, parenthesisDepth: parenthesisDepth)
        }
        try advance()
        let options = comparisonOperator == .between ? [] : try parseOptions()
        let comparison = PredicateComparison(
            left: left,
            comparisonOperator: comparisonOperator,
            options: options,
            right: try parseOperand(),
            location: PredicateComparison.Location(offset: offset)
        )
        return appendNode(.comparison(comparison), nesting: parenthesisDepth)
    }

    private func comparisonOperator(of token: PredicateToken) -> PredicateComparison.Operator? {
        switch token.kind {
        case .symbol(let symbol): PredicateVocabulary.comparisonOperators[symbol]
        case .word: token.keyword.flatMap { PredicateVocabulary.comparisonOperators[$0] }
        default: nil
        }
    }

    /// Stores a complete predicate, which stands in `nesting` pairs of parentheses, as the next node.
    mutating func appendNode(_ node: PredicateTree.Node, nesting: Int = 0) -> Term {
        nodes.append(node)
        return .predicate(Clause(node: node, nesting: nesting))
    }

    private mutating func parseOptions() throws(ContentPredicateError) -> ContentPredicate.Options {
        guard current.kind == .symbol("[") else { return [] }
        try advance()
        let offset = current.offset
        let accepted = "one of the options c, d and n between '[' and ']'"
        guard case .word(let letters) = current.kind else {
            throw error(expecting: "\(accepted) (write the elements of an aggregate between '{' and '}')")
        }
        var options: ContentPredicate.Options = []
        for (index, letter) in letters.lowercased().enumerated() {
            if let match = ContentPredicate.Options.letters.first(where: { $0.letter == letter }) {
                options.insert(match.option)
            } else if letter == "l" || letter == "w" {
                recordForbidden(.option(letter), at: offset + index)
            } else {
                throw error(expecting: accepted)
            }
        }
        try advance()
        guard current.kind == .symbol("]") else { throw error(expecting: "a ']' after the options") }
        try advance()
        return options
    }
}
