internal import TextBasics
internal import WaypostSchema

/// Splits a predicate format into tokens.
struct PredicateLexer {
    /// Operators and punctuation, each before its own prefixes.
    private static let symbols = [
        "==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||", ":=", "**", "<<", ">>",
        "=", "<", ">", "!", "(", ")", "{", "}", "[", "]", ",", "+", "-", "*", "/", ".", "@", ":", "&", "|", "^", "~",
    ]

    private(set) var scanner: ByteScanner

    init(_ format: [UInt8]) {
        scanner = ByteScanner(format)
    }

    mutating func next() throws(ContentPredicateError) -> PredicateToken {
        scanner.skip(while: Self.isSpace)
        let start = scanner.position
        return PredicateToken(kind: try readKind(), offset: start)
    }

    /// Returns whether `symbol` comes next.
    func isFollowed(by symbol: String) -> Bool {
        var scanner = scanner
        scanner.skip(while: Self.isSpace)
        return scanner.skip(symbol)
    }

    private mutating func readKind() throws(ContentPredicateError) -> PredicateToken.Kind {
        guard let byte = scanner.current else { return .end }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return .string(try scanner.readStringLiteral())
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try scanner.readNumber())
        case UInt8(ascii: "#"):
            return .escapedWord(try readName(after: "#", what: "a name"))
        case UInt8(ascii: "$"): return .variable(try readName(after: "$", what: "a name"))
        case UInt8(ascii: "%"): return .placeholder(try readPlaceholder())
        case let byte where Self.isWordCharacter(byte): return .word(readWord())
        default: return .symbol(try readSymbol())
        }
    }

    static func isWordCharacter(_ byte: UInt8) -> Bool {
        byte.isASCIIAlphanumeric || byte == UInt8(ascii: "_")
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || 0x09...0x0D ~= byte
    }

    /// Reads a word; only the two operators for uniform type identifiers contain hyphens.
    private mutating func readWord() -> String {
        let word = scanner.read(while: Self.isWordCharacter)
        guard word.uppercased() == "UTI" else { return word }
        for suffix in ["-CONFORMS-TO", "-EQUALS"] where scanner.skip(suffix) { return word + suffix }
        return word
    }

    private mutating func readName(after sign: String, what: String) throws(ContentPredicateError) -> String {
        let start = scanner.position
        scanner.position += 1
        let name = scanner.read(while: Self.isWordCharacter)
        guard let first = name.utf8.first, !(0x30...0x39 ~= first) else {
            throw ContentPredicateError(
                code: .syntax,
                message: "found '\(sign)' without \(what) after it",
                offset: start
            )
        }
        return name
    }

    /// Reads `%`, an optional C length modifier, and a conversion.
    private mutating func readPlaceholder() throws(ContentPredicateError) -> PredicatePlaceholder {
        let start = scanner.position
        scanner.position += 1
        let lengthModifier = scanner.read { "hlqLzjt".utf8.contains($0) }
        let letter = scanner.current ?? 0
        let spelling = "%" + lengthModifier + (letter < 0x80 && letter > 0x20 ? String(Unicode.Scalar(letter)) : "")
        if let placeholder = PredicatePlaceholder(spelling: spelling, letter: letter) {
            scanner.position += 1
            return placeholder
        }
        let hint =
            spelling == "%%"
            ? "; write a percent sign inside quotation marks"
            : "; %@, %K, %d, %f and similar are accepted, without flags, width or precision"
        throw ContentPredicateError(
            code: .syntax,
            message: "found '\(spelling)', which is not a placeholder\(hint)",
            offset: start
        )
    }

    private mutating func readSymbol() throws(ContentPredicateError) -> String {
        for symbol in Self.symbols where scanner.skip(symbol) { return symbol }
        throw scanner.unexpectedCharacterError()
    }
}
