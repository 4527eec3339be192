internal import WaypostSchema

/// Reads a predicate format by recursive descent.
///
///     predicate   = conjunction *( OR conjunction )
///     conjunction = factor *( AND factor )
///     factor      = NOT factor / "(" predicate ")" / TRUEPREDICATE / FALSEPREDICATE / comparison
///     comparison  = SELF ( "==" / BEGINSWITH ) string
struct PredicateParser {
    /// The deepest nesting of parentheses and `NOT` that is read, so that no format exhausts the stack.
    static let maximumDepth = 256

    private var lexer: PredicateLexer
    private var current: PredicateToken

    init(_ format: String) throws(PredicateFault) {
        lexer = try PredicateLexer(format)
        current = try lexer.next()
    }

    mutating func parse() throws(PredicateFault) -> PredicateExpressionTree {
        let expression = try parsePredicate(depth: 0)
        guard current.kind == .end else {
            throw PredicateVocabulary.fault(for: current, at: .end, expected: "AND, OR or the end of the format")
        }
        return expression
    }

    static func tooDeep(at offset: Int) -> PredicateFault {
        let message = "the predicate is nested deeper than \(maximumDepth)"
        return PredicateFault(code: .syntax, message: message, offset: offset)
    }

    private mutating func parsePredicate(depth: Int) throws(PredicateFault) -> PredicateExpressionTree {
        var operands = [try parseConjunction(depth: depth)]
        while try skip("OR") { operands.append(try parseConjunction(depth: depth)) }
        return operands.count == 1 ? operands[0] : .or(operands)
    }

    private mutating func parseConjunction(depth: Int) throws(PredicateFault) -> PredicateExpressionTree {
        var operands = [try parseFactor(depth: depth)]
        while try skip("AND") { operands.append(try parseFactor(depth: depth)) }
        return operands.count == 1 ? operands[0] : .and(operands)
    }

    private mutating func parseFactor(depth: Int) throws(PredicateFault) -> PredicateExpressionTree {
        guard depth <= Self.maximumDepth else { throw Self.tooDeep(at: current.offset) }
        if try skip("NOT") { return .not(try parseFactor(depth: depth + 1)) }
        if try skip("TRUEPREDICATE") { return .constant(true) }
        if try skip("FALSEPREDICATE") { return .constant(false) }
        if current.kind == .symbol("(") { return try parseParenthesised(depth: depth) }
        return try parseComparison()
    }

    private mutating func parseParenthesised(depth: Int) throws(PredicateFault) -> PredicateExpressionTree {
        let opening = current.offset
        try advance()
        let expression = try parsePredicate(depth: depth + 1)
        guard current.kind == .symbol(")") else {
            throw PredicateVocabulary.fault(
                for: current,
                at: .end,
                expected: "AND, OR or the ')' of the '(' at offset \(opening)"
            )
        }
        try advance()
        return expression
    }

    private mutating func parseComparison() throws(PredicateFault) -> PredicateExpressionTree {
        guard try skip("SELF") else {
            throw PredicateVocabulary.fault(
                for: current,
                at: .operand,
                expected: "SELF, NOT, TRUEPREDICATE, FALSEPREDICATE or a parenthesis"
            )
        }
        let comparison = try parseOperator()
        guard case .string(let literal) = current.kind else {
            throw PredicateVocabulary.fault(for: current, at: .literal, expected: "a string in quotation marks")
        }
        try advance()
        return .comparison(comparison, PredicateExpressionTree.Literal(text: literal))
    }

    private mutating func parseOperator() throws(PredicateFault) -> PredicateExpressionTree.Comparison {
        if current.kind == .symbol("==") {
            try advance()
            return .equals
        }
        if try skip("BEGINSWITH") { return .beginsWith }
        throw PredicateVocabulary.fault(for: current, at: .operation, expected: "== or BEGINSWITH")
    }

    private mutating func skip(_ keyword: String) throws(PredicateFault) -> Bool {
        guard current.keyword == keyword else { return false }
        try advance()
        return true
    }

    private mutating func advance() throws(PredicateFault) {
        current = try lexer.next()
    }
}
