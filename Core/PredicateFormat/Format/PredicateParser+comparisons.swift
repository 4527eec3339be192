internal import WaypostSchema

extension PredicateParser {
    /// Parses the rest of a comparison after its operand `left`, or nothing if no operator follows.
    mutating func parseComparison(
        from left: PredicateOperand,
        startingAt start: Int,
        parentheses: Int
    ) throws(ContentPredicateError) -> Term {
        let left = try parseRest(of: left, startingAt: start)
        let offset = current.offset
        if try skip("MATCHES") {
            restrict(.regularExpression, at: offset)
            _ = try parseOptions()
            _ = try parseOperand()
            return keep(.constant(false), parentheses)
        }
        if let word = current.keyword, PredicateVocabulary.typeIdentifierOperators.contains(word) {
            restrict(.typeIdentifierOperator(word), at: offset)
            try advance()
            _ = try parseOperand()
            return keep(.constant(false), parentheses)
        }
        guard let operation = operation(of: current) else { return .operand(left, parentheses: parentheses) }
        try advance()
        let options = operation == .between ? [] : try parseOptions()
        let comparison = PredicateComparison(
            left: left,
            operation: operation,
            options: options,
            right: try parseOperand(),
            place: PredicateComparison.Place(offset: offset)
        )
        return keep(.comparison(comparison), parentheses)
    }

    private func operation(of token: PredicateToken) -> PredicateComparison.Operation? {
        switch token.kind {
        case .symbol(let symbol): PredicateVocabulary.operations[symbol]
        case .word: token.keyword.flatMap { PredicateVocabulary.operations[$0] }
        default: nil
        }
    }

    mutating func keep(_ node: PredicateTree.Node, _ parentheses: Int = 0) -> Term {
        nodes.append(node)
        blockOffset = nil
        return .predicate(Clause(node: node, nesting: parentheses))
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
        for (distance, letter) in letters.lowercased().enumerated() {
            if let match = ContentPredicate.Options.letters.first(where: { $0.letter == letter }) {
                options.insert(match.option)
            } else if letter == "l" || letter == "w" {
                restrict(.option(letter), at: offset + distance)
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
