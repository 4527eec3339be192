/// A token of a predicate format, with its offset.
struct PredicateToken: Equatable {
    enum Kind: Equatable {
        /// A keyword, an operator spelled with letters, or a name.
        case word(String)

        /// A name that is not a keyword, even if it is spelled like one: `#word`, without the `#`.
        case escapedWord(String)

        /// A string, without its quotation marks and with its escapes resolved.
        case string(String)

        case number(PredicateNumber)

        /// A `$name`, without the `$`.
        case variable(String)

        /// A placeholder for an argument: `%` and its conversion.
        case placeholder(PredicatePlaceholder)

        /// Punctuation: an operator or a parenthesis.
        case symbol(String)

        case end
    }

    let kind: Kind

    /// The offset in the format, in UTF-8 bytes, from 0.
    let offset: Int

    /// The name of the token in a message.
    var name: String {
        switch kind {
        case .word(let word): "'\(word.excerpt)'"
        case .escapedWord(let word): "'#\(word.excerpt)'"
        case .string: "a string"
        case .number(let number): "the number \(number)"
        case .variable(let name): "'$\(name.excerpt)'"
        case .placeholder(let placeholder): "'\(placeholder.spelling)'"
        case .symbol(let symbol): "'\(symbol)'"
        case .end: "the end of the format"
        }
    }

    /// The word in upper case, as keywords are case-insensitive; `nil` for anything else.
    let keyword: String?

    init(kind: Kind, offset: Int) {
        self.kind = kind
        self.offset = offset
        if case .word(let word) = kind { keyword = word.uppercased() } else { keyword = nil }
    }
}
