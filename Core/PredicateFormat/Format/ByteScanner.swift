internal import WaypostSchema

/// A format and how far it has been read.
struct ByteScanner {
    private let bytes: [UInt8]
    var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The next byte; `nil` at the end.
    var current: UInt8? {
        byte(at: position)
    }

    /// The byte at `index`; `nil` beyond the end.
    func byte(at index: Int) -> UInt8? {
        index < bytes.count ? bytes[index] : nil
    }

    /// Returns the text from `start` up to `end`.
    func text(from start: Int, to end: Int) -> String {
        String(decoding: bytes[start..<end], as: UTF8.self)
    }

    mutating func skip(while isInside: (UInt8) -> Bool) {
        while position < bytes.count, isInside(bytes[position]) { position += 1 }
    }

    mutating func read(while isInside: (UInt8) -> Bool) -> String {
        let start = position
        skip(while: isInside)
        return text(from: start, to: position)
    }

    /// Skips `text` if it is what comes next, without regard to the case of ASCII letters.
    mutating func skip(_ text: String) -> Bool {
        let length = text.utf8.count
        guard bytes.count - position >= length,
            zip(bytes[position...], text.utf8).allSatisfy({ $0.lowercasedASCII == $1.lowercasedASCII })
        else { return false }
        position += length
        return true
    }

    /// The error of a character that means nothing outside quotation marks.
    func unexpectedCharacterError() -> ContentPredicateError {
        let rest = String(decoding: bytes[position..<min(position + 4, bytes.count)], as: UTF8.self)
        let scalar = rest.unicodeScalars.first ?? "?"
        let code = String(scalar.value, radix: 16, uppercase: true)
        let padded = String(repeating: "0", count: max(0, 4 - code.count)) + code
        let shown = scalar.properties.isWhitespace || scalar.value < 0x20 ? "" : "'\(scalar)' "
        let hint =
            switch scalar {
            case "\u{2018}", "\u{2019}", "\u{201A}", "\u{201C}", "\u{201D}", "\u{201E}", "`":
                "write strings in ' or \", not in typographic quotation marks"
            case "?": "a question mark has no meaning outside a string"
            case _ where scalar.properties.isWhitespace: "only ASCII white space separates words"
            default: "it has no meaning outside a string"
            }
        return ContentPredicateError(code: .syntax, message: "found \(shown)U+\(padded): \(hint)", offset: position)
    }
}

extension UInt8 {
    /// The lower case of an ASCII letter; anything else is left as it is.
    var lowercasedASCII: UInt8 {
        self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self
    }
}
