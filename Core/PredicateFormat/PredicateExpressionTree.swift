/// What a predicate says, as a tree.
indirect enum PredicateExpressionTree: Sendable, Hashable {
    /// An operator between `SELF` and a literal.
    enum Comparison: String, Sendable, Hashable {
        case equals = "=="
        case beginsWith = "BEGINSWITH"
    }

    /// A text that is equal to another only if both have the same UTF-16 code units, as predicates tell them.
    struct Literal: Sendable, Hashable {
        var text: String

        static func == (left: Self, right: Self) -> Bool {
            left.text.hasSameUnits(as: right.text)
        }

        func hash(into hasher: inout Hasher) {
            for unit in text.utf8 { hasher.combine(unit) }
        }
    }

    case constant(Bool)
    case comparison(Comparison, Literal)
    case not(PredicateExpressionTree)

    /// Two or more alternatives or conditions: a chain that was written without parentheses is one node.
    case and([PredicateExpressionTree])
    case or([PredicateExpressionTree])
}

extension PredicateExpressionTree {
    func evaluate(with value: String) -> Bool {
        switch self {
        case .constant(let result): result
        case .comparison(.equals, let literal): value.hasSameUnits(as: literal.text)
        case .comparison(.beginsWith, let literal): value.isFound(literal.text, at: .start)
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
        case .comparison(let comparison, let literal): "SELF \(comparison.rawValue) \(Self.quoted(literal.text))"
        case .not(let operand): "NOT \(operand.canonicalOperand)"
        case .and(let operands): operands.map(\.canonicalOperand).joined(separator: " AND ")
        case .or(let operands): operands.map(\.canonicalOperand).joined(separator: " OR ")
        }
    }

    private var canonicalOperand: String {
        isCompound ? "(\(canonicalText))" : canonicalText
    }

    private var isCompound: Bool {
        switch self {
        case .constant, .comparison: false
        case .not, .and, .or: true
        }
    }

    /// How deeply the canonical text nests parentheses and `NOT`.
    var canonicalNesting: Int {
        switch self {
        case .constant, .comparison: 0
        case .not(let operand): 1 + operand.canonicalOperandNesting
        case .and(let operands), .or(let operands): operands.map(\.canonicalOperandNesting).max() ?? 0
        }
    }

    private var canonicalOperandNesting: Int {
        canonicalNesting + (isCompound ? 1 : 0)
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
