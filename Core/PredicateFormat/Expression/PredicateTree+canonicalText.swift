extension PredicateTree {
    /// The text that `NSPredicate.predicateFormat` prints: strings in double quotes, every compound operand in
    /// parentheses.
    ///
    /// - Complexity: O(length of the text).
    var canonicalText: String {
        var writer = CanonicalWriter()
        for node in nodes.reversed() { writer.write(node) }
        return writer.text
    }
}

/// Writes a predicate from its end to its beginning, because nodes store operands before operators.
private struct CanonicalWriter {
    /// A compound predicate with operands that are not yet written.
    private struct Compound {
        /// The text before its first operand, and the text between its operands.
        var prefix: String
        var separator: String
        var remainingOperandCount: Int
    }

    private var pieces: [String] = []
    private var openCompounds: [Compound] = []

    var text: String {
        pieces.reversed().joined()
    }

    mutating func write(_ node: PredicateTree.Node) {
        switch node {
        case .constant(let value): finish(value ? "TRUEPREDICATE" : "FALSEPREDICATE")
        case .comparison(let comparison): finish(comparison.canonicalText)
        case .not: begin(prefix: "NOT ", separator: "", operands: 1)
        case .and(let count): begin(prefix: "", separator: " AND ", operands: count)
        case .or(let count): begin(prefix: "", separator: " OR ", operands: count)
        }
    }

    private mutating func begin(prefix: String, separator: String, operands: Int) {
        let isOperand = !openCompounds.isEmpty
        if isOperand { pieces.append(")") }
        let opening = isOperand ? "(" : ""
        openCompounds.append(
            Compound(prefix: opening + prefix, separator: separator, remainingOperandCount: operands)
        )
    }

    /// Writes an operand that is not compound, and the beginnings of all compounds of which it is the first operand.
    private mutating func finish(_ operand: String) {
        pieces.append(operand)
        while var compound = openCompounds.popLast() {
            compound.remainingOperandCount -= 1
            if compound.remainingOperandCount > 0 {
                pieces.append(compound.separator)
                openCompounds.append(compound)
                return
            }
            pieces.append(compound.prefix)
        }
    }
}
