/// The smallest piece of a predicate format that means something, and where it starts.
struct PredicateToken: Equatable {
    enum Kind: Equatable {
        /// A keyword, an operator spelled in letters, or a name.
        case word(String)

        /// A name that is no keyword even if it is spelled like one: `#word`, without the `#`.
        case escapedWord(String)

        /// A literal, without its quotation marks and with its escapes resolved.
        case string(String)

        case number(PredicateNumber)

        /// A `$name`, without the `$`.
        case variable(String)

        /// A placeholder for an argument: `%` and its conversion.
        case placeholder(PredicatePlaceholder)

        /// Punctuation: an operator, a parenthesis.
        case symbol(String)

        case end
    }

    let kind: Kind

    /// In UTF-8 bytes, from 0.
    let offset: Int

    /// What it is called in a message.
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

    /// The word in upper case, since keywords have no case; `nil` for anything else.
    let keyword: String?

    init(kind: Kind, offset: Int) {
        self.kind = kind
        self.offset = offset
        if case .word(let word) = kind { keyword = word.uppercased() } else { keyword = nil }
    }
}
