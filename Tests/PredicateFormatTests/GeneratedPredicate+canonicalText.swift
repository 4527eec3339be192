import PredicateFormat

extension GeneratedPredicate {
    /// The text that Foundation prints: parentheses around every compound operand, and nowhere else.
    var canonicalText: String {
        switch self {
        case .constant(let value): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .comparison(let comparison): comparison.canonicalText
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
}

extension GeneratedComparison {
    var canonicalText: String {
        var letters = ""
        if options.contains(.caseInsensitive) { letters += "c" }
        if options.contains(.diacriticInsensitive) { letters += "d" }
        if options.contains(.normalized) { letters += "n" }
        let brackets = letters.isEmpty ? "" : "[\(letters)]"
        return "\(left.canonicalText) \(operation.rawValue)\(brackets) \(right.canonicalText)"
    }
}

extension GeneratedOperand {
    fileprivate var canonicalText: String {
        switch self {
        case .subject: "SELF"
        case .text(let text):
            "\"\(text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined())\""
        case .integer(let value): value.description
        case .real(let value): value.description
        case .nothing: "nil"
        case .aggregate(let elements): "{\(elements.map(\.canonicalText).joined(separator: ", "))}"
        }
    }
}
