/// The smallest piece of a predicate format that means something, and where it starts.
struct PredicateToken: Equatable {
    enum Kind: Equatable {
        /// A keyword, an operator spelled in letters, or a key path.
        case word(String)

        /// A literal, without its quotation marks and with its escapes resolved.
        case string(String)

        /// A number, as it is spelled.
        case number(String)

        /// Punctuation: an operator, a parenthesis, a placeholder.
        case symbol(String)

        case end
    }

    var kind: Kind

    /// In UTF-8 bytes, from 0.
    var offset: Int

    /// What it is called in a message.
    var name: String {
        switch kind {
        case .word(let word): "'\(word)'"
        case .string: "a string"
        case .number(let digits): "the number \(digits)"
        case .symbol(let symbol): "'\(symbol)'"
        case .end: "the end of the format"
        }
    }

    /// The word in upper case, since keywords have no case; `nil` for anything else.
    ///
    /// Keywords are ASCII: the upper case of ſ is S, but that spells no SELF.
    var keyword: String? {
        guard case .word(let word) = kind, word.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        return word.uppercased()
    }
}
