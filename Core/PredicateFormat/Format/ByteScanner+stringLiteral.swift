internal import WaypostSchema

extension ByteScanner {
    /// Parses the quoted string at the current position.
    ///
    /// Single and double quotation marks are equivalent, and neither ends a string that the other began (Predicate
    /// Format String Syntax).
    mutating func readStringLiteral() throws(ContentPredicateError) -> String {
        let start = position
        let quote = current
        position += 1
        var units: [UInt8] = []
        while let byte = current {
            position += 1
            if byte == quote { return String(decoding: units, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") {
                units.append(contentsOf: try readEscape())
            } else {
                units.append(byte)
            }
        }
        let mark = quote.map { String(Unicode.Scalar($0)) } ?? ""
        throw ContentPredicateError(code: .syntax, message: "the string has no end: \(mark) is expected", offset: start)
    }

    /// Parses the part of an escape after the backslash: three octal digits, `x` and two or `u` and four hexadecimal
    /// digits, the letter of a control character, or a character that represents itself.
    private mutating func readEscape() throws(ContentPredicateError) -> [UInt8] {
        let start = position - 1
        guard let byte = current else {
            throw ContentPredicateError(code: .syntax, message: "the format ends with a backslash", offset: start)
        }
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "7"):
            return try readCharacter(digitCount: 3, radix: 8, escapeStart: start)
        case UInt8(ascii: "x"), UInt8(ascii: "X"):
            position += 1
            return try readCharacter(digitCount: 2, radix: 16, escapeStart: start)
        case UInt8(ascii: "u"), UInt8(ascii: "U"):
            position += 1
            return try readCharacter(digitCount: 4, radix: 16, escapeStart: start)
        default:
            position += 1
            return [Self.controlCharacters[byte] ?? byte]
        }
    }

    private static let controlCharacters: [UInt8: UInt8] = [
        UInt8(ascii: "a"): 0x07, UInt8(ascii: "b"): 0x08, UInt8(ascii: "t"): 0x09, UInt8(ascii: "n"): 0x0A,
        UInt8(ascii: "v"): 0x0B, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "r"): 0x0D,
    ]

    /// Parses the digits of a character; one beyond U+FFFF is written as two surrogates, each with its own escape.
    private mutating func readCharacter(
        digitCount: Int,
        radix: Int,
        escapeStart: Int
    ) throws(ContentPredicateError) -> [UInt8] {
        guard let unit = readDigits(digitCount, radix: radix) else {
            let kind = radix == 8 ? "octal" : "hexadecimal"
            let message = "the escape needs \(digitCount) \(kind) digits"
            throw ContentPredicateError(code: .syntax, message: message, offset: escapeStart)
        }
        if let scalar = Unicode.Scalar(unit) { return Array(String(Character(scalar)).utf8) }
        if 0xD800...0xDBFF ~= unit, skip("\\u"), let low = readDigits(4, radix: 16), 0xDC00...0xDFFF ~= low,
            let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
        {
            return Array(String(Character(scalar)).utf8)
        }
        let message = "the escape is half of a surrogate pair: a high surrogate and then a low one are expected"
        throw ContentPredicateError(code: .syntax, message: message, offset: escapeStart)
    }

    private mutating func readDigits(_ count: Int, radix: Int) -> UInt32? {
        var value: UInt32 = 0
        for index in position..<position + count {
            guard let byte = byte(at: index), let digit = Character(Unicode.Scalar(byte)).hexDigitValue,
                digit < radix
            else { return nil }
            value = value * UInt32(radix) + UInt32(digit)
        }
        position += count
        return value
    }
}
