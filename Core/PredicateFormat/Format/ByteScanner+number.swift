internal import WaypostSchema

extension ByteScanner {
    /// Reads a number: `27`, `2.71828`, `9.2e-5`, or a whole one after `0x`, `0o` or `0b`.
    mutating func readNumber() throws(PredicateFault) -> PredicateNumber {
        let start = position
        let spelling = readSpelling()
        if let number = Self.number(spelled: spelling) { return number }
        let message =
            "'\(spelling.excerpt)' is no number, or too great a one; 27, 2.71828, 9.2e-5, 0x1B, 0o33 and 0b11011 are"
        throw PredicateFault(code: .syntax, message: message, offset: start)
    }

    /// Reads all that can belong to a number; a sign does after the `e` of an exponent.
    private mutating func readSpelling() -> String {
        let start = position
        while let byte = current {
            let isSign = byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
            guard
                PredicateLexer.isInsideWord(byte) || byte == UInt8(ascii: ".")
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
        // Digits, of which a point has some on both sides, and an exponent: what Double reads besides is no number here.
        guard spelling.wholeMatch(of: /[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?/) != nil,
            let value = Double(spelling), value.isFinite
        else { return nil }
        return PredicateNumber(value)
    }
}
