internal import WaypostSchema

/// Cuts a predicate format into tokens.
struct PredicateLexer {
    /// Operators, the longer before their prefixes.
    private static let symbols = [
        "==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||", ":=", "**",
        "=", "<", ">", "!", "(", ")", "{", "}", "[", "]", ",", "+", "-", "*", "/", ".", "$", "%", "@",
    ]

    private let bytes: [UInt8]
    private var position = 0

    init(_ format: String) throws(PredicateFault) {
        bytes = Array(format.utf8)
        guard bytes.count <= ContentPredicate.maximumLength else {
            throw Self.tooLong(bytes.count, what: "the format")
        }
    }

    static func tooLong(_ length: Int, what: String) -> PredicateFault {
        let message = "\(what) has \(length) bytes; at most \(ContentPredicate.maximumLength) are accepted"
        return PredicateFault(code: .syntax, message: message, offset: ContentPredicate.maximumLength)
    }

    mutating func next() throws(PredicateFault) -> PredicateToken {
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
        let start = position
        guard start < bytes.count else { return PredicateToken(kind: .end, offset: start) }
        switch bytes[start] {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            return PredicateToken(kind: .string(try readString(quote: bytes[start])), offset: start)
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            return PredicateToken(kind: .number(readWhile(Self.isInsideNumber)), offset: start)
        case let byte where Self.isInsideWord(byte):
            return PredicateToken(kind: .word(readWhile(Self.isInsideWord)), offset: start)
        default:
            return PredicateToken(kind: .symbol(try readSymbol()), offset: start)
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || 0x09...0x0D ~= byte
    }

    /// Letters, digits, underscores and everything beyond ASCII; `#` makes a key path of a reserved word.
    private static func isInsideWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "#"), 0x80...:
            true
        default:
            false
        }
    }

    private static func isInsideNumber(_ byte: UInt8) -> Bool {
        isInsideWord(byte) || byte == UInt8(ascii: ".")
    }

    private mutating func readWhile(_ isInside: (UInt8) -> Bool) -> String {
        let start = position
        while position < bytes.count, isInside(bytes[position]) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func readSymbol() throws(PredicateFault) -> String {
        for symbol in Self.symbols where bytes[position...].starts(with: symbol.utf8) {
            position += symbol.utf8.count
            return symbol
        }
        let found = Unicode.Scalar(bytes[position])
        let message = "found '\(found)', which has no meaning in a predicate"
        throw PredicateFault(code: .syntax, message: message, offset: position)
    }

    private mutating func readString(quote: UInt8) throws(PredicateFault) -> String {
        let start = position
        position += 1
        var units: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == quote { return String(decoding: units, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") {
                units.append(contentsOf: try readEscape())
            } else {
                units.append(byte)
            }
        }
        let message = "the string has no end: \(Unicode.Scalar(quote)) is expected"
        throw PredicateFault(code: .syntax, message: message, offset: start)
    }

    /// Reads what follows a backslash: three octal digits, `x` and two or `u` and four hexadecimal ones, the name of a
    /// control character, or a character that stands for itself.
    private mutating func readEscape() throws(PredicateFault) -> [UInt8] {
        let start = position - 1
        guard position < bytes.count else {
            throw PredicateFault(code: .syntax, message: "a backslash ends the format", offset: start)
        }
        let byte = bytes[position]
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "7"):
            return try readScalar(digits: 3, radix: 8, escapeStart: start)
        case UInt8(ascii: "x"), UInt8(ascii: "X"):
            position += 1
            return try readScalar(digits: 2, radix: 16, escapeStart: start)
        case UInt8(ascii: "u"), UInt8(ascii: "U"):
            position += 1
            return try readScalar(digits: 4, radix: 16, escapeStart: start)
        default:
            position += 1
            return [Self.controlCharacters[byte] ?? byte]
        }
    }

    private static let controlCharacters: [UInt8: UInt8] = [
        UInt8(ascii: "a"): 0x07, UInt8(ascii: "b"): 0x08, UInt8(ascii: "t"): 0x09, UInt8(ascii: "n"): 0x0A,
        UInt8(ascii: "v"): 0x0B, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "r"): 0x0D,
    ]

    private mutating func readScalar(digits: Int, radix: Int, escapeStart: Int) throws(PredicateFault) -> [UInt8] {
        let text = String(decoding: bytes[position..<min(position + digits, bytes.count)], as: UTF8.self)
        guard text.utf8.count == digits, text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
            let value = UInt32(text, radix: radix), let scalar = Unicode.Scalar(value)
        else {
            let kind = radix == 8 ? "octal" : "hexadecimal"
            let message = "the escape needs \(digits) \(kind) digits that name a character"
            throw PredicateFault(code: .syntax, message: message, offset: escapeStart)
        }
        position += digits
        return Array(String(Character(scalar)).utf8)
    }
}
