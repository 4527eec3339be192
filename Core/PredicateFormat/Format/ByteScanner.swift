internal import TextBasics
internal import WaypostSchema

/// The bytes of a format and the current position.
struct ByteScanner {
    private let bytes: [UInt8]
    var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The next byte, or `nil` at the end.
    var current: UInt8? {
        byte(at: position)
    }

    /// Returns the byte at `index`, or `nil` beyond the end.
    func byte(at index: Int) -> UInt8? {
        index < bytes.count ? bytes[index] : nil
    }

    /// Returns the text from `start` up to `end`.
    func text(from start: Int, to end: Int) -> String {
        String(decoding: bytes[start..<end], as: UTF8.self)
    }

    func rest(from start: Int) -> String {
        text(from: start, to: bytes.count)
    }

    mutating func skip(while isInside: (UInt8) -> Bool) {
        while position < bytes.count, isInside(bytes[position]) { position += 1 }
    }

    mutating func read(while isInside: (UInt8) -> Bool) -> String {
        let start = position
        skip(while: isInside)
        return text(from: start, to: position)
    }

    /// Skips `text` if it comes next, ignoring the case of ASCII letters.
    mutating func skip(_ text: String) -> Bool {
        let length = text.utf8.count
        guard bytes.count - position >= length,
            zip(bytes[position...], text.utf8).allSatisfy({ $0.lowercasedASCII == $1.lowercasedASCII })
        else { return false }
        position += length
        return true
    }

    /// Returns the error for a character that has no meaning outside quotation marks.
    func unexpectedCharacterError() -> ContentPredicateError {
        let rest = String(decoding: bytes[position..<min(position + 4, bytes.count)], as: UTF8.self)
        let scalar = rest.unicodeScalars.first ?? "?"
        let code = String(scalar.value, radix: 16, uppercase: true)
        let padded = String(repeating: "0", count: max(0, 4 - code.count)) + code
        let quotedCharacter = scalar.properties.isWhitespace || scalar.value < 0x20 ? "" : "'\(scalar)' "
        let hint =
            switch scalar {
            case "\u{2018}", "\u{2019}", "\u{201A}", "\u{201C}", "\u{201D}", "\u{201E}", "`":
                "write strings in ' or \", not in typographic quotation marks"
            case "?": "a question mark has no meaning outside a string"
            case _ where scalar.properties.isWhitespace: "only ASCII white space separates words"
            default: "it has no meaning outside a string"
            }
        let message = "found \(quotedCharacter)U+\(padded): \(hint)"
        return ContentPredicateError(code: .syntax, message: message, offset: position)
    }
}
