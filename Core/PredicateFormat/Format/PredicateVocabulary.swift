internal import TextBasics

/// The words with a meaning in the format language (Predicate Format String Syntax, reserved words).
enum PredicateVocabulary {
    /// The comparison operators, with all accepted spellings.
    static let comparisonOperators: [String: PredicateComparison.Operator] = [
        "=": .equals, "==": .equals, "!=": .notEquals, "<>": .notEquals,
        "<": .lessThan, "<=": .lessThanOrEqual, "=<": .lessThanOrEqual,
        ">": .greaterThan, ">=": .greaterThanOrEqual, "=>": .greaterThanOrEqual,
        "BETWEEN": .between, "IN": .in, "CONTAINS": .contains, "BEGINSWITH": .beginsWith, "ENDSWITH": .endsWith,
        "LIKE": .like,
    ]

    /// The arithmetic operators.
    static let arithmeticOperators: Set = ["+", "-", "*", "/", "**", "&", "|", "^", "<<", ">>"]

    /// The words that stand between or before operands; after a period, they show that a name is missing.
    static let connectives: Set = [
        "AND", "OR", "NOT", "IN", "LIKE", "MATCHES", "CONTAINS", "BEGINSWITH", "ENDSWITH", "BETWEEN",
    ]

    static let qualifiers: Set = ["ANY", "SOME", "ALL", "NONE"]

    static let typeIdentifierOperators: Set = ["UTI-CONFORMS-TO", "UTI-EQUALS"]

    /// The words that are not names; `#` before one makes it a name.
    static let reservedWords: Set = [
        "AND", "OR", "IN", "NOT", "ALL", "ANY", "SOME", "NONE", "LIKE", "CASEINSENSITIVE", "CI", "MATCHES", "CONTAINS",
        "BEGINSWITH", "ENDSWITH", "BETWEEN", "NULL", "NIL", "SELF", "TRUE", "YES", "FALSE", "NO", "FIRST", "LAST",
        "SIZE", "ANYKEY", "SUBQUERY", "FETCH", "CAST", "TRUEPREDICATE", "FALSEPREDICATE", "UTI-CONFORMS-TO",
        "UTI-EQUALS",
    ]

    /// The names of operators in other languages.
    private static let operatorsOfOtherLanguages = [
        "IS": "==", "EQ": "==", "EQUALS": "==", "NE": "!=", "STARTSWITH": "BEGINSWITH", "HASPREFIX": "BEGINSWITH",
        "HASSUFFIX": "ENDSWITH", "HAS": "CONTAINS", "INCLUDES": "CONTAINS", "GLOB": "LIKE", "MATCH": "LIKE",
        "REGEX": "LIKE", "REGEXP": "LIKE",
    ]

    /// Returns the operator that `word` was probably meant to be, or `nil` if none is similar.
    static func suggestion(for word: String) -> String? {
        if let translation = operatorsOfOtherLanguages[word.uppercased()] { return translation }
        let candidates = ["BEGINSWITH", "ENDSWITH", "CONTAINS", "BETWEEN", "LIKE", "IN"]
        let uppercasedWord = word.uppercased()
        // A prefix of an operator may be the first half of an operator that was split, as in BEGINS WITH.
        if uppercasedWord.count > 3, let match = candidates.first(where: { $0.hasPrefix(uppercasedWord) }) {
            return match
        }
        guard uppercasedWord.utf8.count < 16 else { return nil }
        return candidates.first { uppercasedWord.editDistance(to: $0) <= ($0.count > 4 ? 2 : 1) }
    }
}
