internal import TextBasics
internal import WaypostSchema

extension ByteScanner {
    /// Parses a number: `27`, `2.71828`, `9.2e-5`, or a whole number after `0x`, `0o` or `0b`.
    mutating func readNumber() throws(ContentPredicateError) -> PredicateNumber {
        let start = position
        let spelling = readSpelling()
        if let number = Self.number(spelled: spelling) { return number }
        let message =
            "'\(spelling.excerpt)' is not a number, or is too large; accepted: 27, 2.71828, 9.2e-5, 0x1B, 0o33, 0b11011"
        throw ContentPredicateError(code: .syntax, message: message, offset: start)
    }

    /// Reads all characters that can belong to a number, including a sign after the `e` of an exponent.
    private mutating func readSpelling() -> String {
        let start = position
        while let byte = current {
            let isSign = byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
            guard
                PredicateLexer.isWordCharacter(byte) || byte == UInt8(ascii: ".")
                    || (isSign && isAfterExponent(of: start))
            else { break }
            position += 1
        }
        return text(from: start, to: position)
    }

    private func isAfterExponent(of start: Int) -> Bool {
        let isHexadecimal = byte(at: start + 1)?.lowercasedASCII == UInt8(ascii: "x")
        return byte(at: position - 1)?.lowercasedASCII == UInt8(ascii: "e") && !isHexadecimal
    }

    private static func number(spelled spelling: String) -> PredicateNumber? {
        for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where spelling.lowercased().hasPrefix(prefix) {
            let digits = spelling.dropFirst(2)
            guard digits.first != "+", digits.first != "-" else { return nil }
            return UInt64(digits, radix: radix).map {
                Int64(exactly: $0).map(PredicateNumber.integer) ?? .init(Double($0))
            }
        }
        if let integer = Int64(spelling) { return .integer(integer) }
        guard isDecimal(spelling.utf8), let value = Double(spelling), value.isFinite else { return nil }
        return PredicateNumber(value)
    }

    /// Returns whether the spelling is digits, optionally with a fraction and an exponent.
    ///
    /// `Double` accepts more spellings, which are not numbers here.
    private static func isDecimal(_ spelling: String.UTF8View) -> Bool {
        var rest = spelling[...]
        func skipDigits() -> Bool {
            let count = rest.prefix { 0x30...0x39 ~= $0 }.count
            rest = rest.dropFirst(count)
            return count > 0
        }
        guard skipDigits() else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            guard skipDigits() else { return false }
        }
        guard let exponentMark = rest.first else { return true }
        rest = rest.dropFirst()
        if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        return exponentMark.lowercasedASCII == UInt8(ascii: "e") && skipDigits() && rest.isEmpty
    }
}
