internal import WaypostSchema

/// What the words of the format language mean where this version does not read them: the whole language is known by
/// name, so that a refusal can tell what is misspelt, what is forbidden and what is not read yet.
enum PredicateVocabulary {
    /// Where a token stands: what a word means depends on it.
    enum Position {
        case operand
        case operation
        case literal
        case end
    }

    /// Returns the fault of finding `token` at `position`, where `expected` should be.
    static func fault(for token: PredicateToken, at position: Position, expected: String) -> PredicateFault {
        if let restriction = restriction(on: token, at: position) {
            return PredicateFault(code: .forbidden, message: restriction, offset: token.offset)
        }
        let suffix = isKnown(token, at: position) ? ": this version does not read it yet" : ""
        let message = "found \(token.name) where \(expected) is expected\(suffix)"
        return PredicateFault(code: .syntax, message: message, offset: token.offset)
    }

    /// Why an activation condition may not say `token`; the restrictions are the talk's (targeting content with
    /// multiple windows): no blocks, no regular expressions, no key path but SELF.
    private static func restriction(on token: PredicateToken, at position: Position) -> String? {
        if token.kind == .symbol("$") { return "variables have no value in an activation condition" }
        if token.kind == .symbol("."), position == .operation { return "no key path but SELF may be used" }
        guard case .word(let path) = token.kind else { return nil }
        let keyword = token.keyword ?? path
        switch keyword {
        case "MATCHES":
            return "MATCHES is not allowed in an activation condition, as a regular expression may take any time"
        case "BLOCKPREDICATE":
            return "a block cannot leave its app, so it is not allowed in an activation condition"
        case "FUNCTION", "SUBQUERY", "CAST", "TERNARY", "ANY", "SOME", "ALL", "NONE":
            return "\(keyword) is not allowed in an activation condition"
        default:
            guard position == .operand || position == .literal, !reserved.contains(keyword) else { return nil }
            return "'\(path)' is read as a key path, and no key path but SELF may be used"
        }
    }

    private static func isKnown(_ token: PredicateToken, at position: Position) -> Bool {
        switch token.kind {
        case .word: token.keyword.map(unread.contains) ?? false
        case .string, .number: position == .operand || position == .literal
        case .symbol(let symbol): unread.contains(symbol)
        case .end: false
        }
    }

    private static let read: Set = ["AND", "OR", "NOT", "SELF", "BEGINSWITH", "TRUEPREDICATE", "FALSEPREDICATE"]

    private static let unread: Set = [
        "=", "!=", "<>", "<", ">", "<=", "=<", ">=", "=>", "&&", "||", "!", "[", "{", "%",
        "BETWEEN", "CONTAINS", "ENDSWITH", "FALSE", "IN", "LIKE", "NIL", "NO", "NULL", "TRUE", "YES",
    ]

    private static let reserved = read.union(unread)
}
