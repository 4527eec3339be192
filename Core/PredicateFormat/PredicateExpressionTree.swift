/// What a predicate says, as a tree.
indirect enum PredicateExpressionTree: Sendable, Hashable {
    /// An operator between `SELF` and a literal.
    enum Comparison: String, Sendable, Hashable {
        case equals = "=="
        case beginsWith = "BEGINSWITH"
    }

    case constant(Bool)
    case comparison(Comparison, String)
    case not(PredicateExpressionTree)

    /// Two or more alternatives or conditions: a chain that was written without parentheses is one node.
    case and([PredicateExpressionTree])
    case or([PredicateExpressionTree])
}

extension PredicateExpressionTree {
    func evaluate(with value: String) -> Bool {
        switch self {
        case .constant(let result): result
        case .comparison(.equals, let literal): value.hasSameUnits(as: literal)
        case .comparison(.beginsWith, let literal): value.isFound(literal, at: .start)
        case .not(let operand): !operand.evaluate(with: value)
        case .and(let operands): operands.allSatisfy { $0.evaluate(with: value) }
        case .or(let operands): operands.contains { $0.evaluate(with: value) }
        }
    }

    /// The text that `NSPredicate.predicateFormat` prints: strings in double quotes, every compound operand in
    /// parentheses.
    var canonicalText: String {
        switch self {
        case .constant(true): "TRUEPREDICATE"
        case .constant(false): "FALSEPREDICATE"
        case .comparison(let comparison, let literal): "SELF \(comparison.rawValue) \(Self.quoted(literal))"
        case .not(let operand): "NOT \(operand.canonicalOperand)"
        case .and(let operands): operands.map(\.canonicalOperand).joined(separator: " AND ")
        case .or(let operands): operands.map(\.canonicalOperand).joined(separator: " OR ")
        }
    }

    private var canonicalOperand: String {
        switch self {
        case .constant, .comparison: canonicalText
        case .not, .and, .or: "(\(canonicalText))"
        }
    }

    private static func quoted(_ literal: String) -> String {
        var text = "\""
        for scalar in literal.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { text.unicodeScalars.append("\\") }
            text.unicodeScalars.append(scalar)
        }
        return text + "\""
    }
}
