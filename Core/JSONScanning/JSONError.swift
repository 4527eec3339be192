internal import TextBasics

/// A JSON syntax error and its offset.
public struct JSONError: Error, Equatable, Sendable {
    /// The kinds of errors in a JSON text, by RFC 8259.
    public enum Problem: Equatable, Sendable {
        /// The text ends, but `expected` should follow.
        case unexpectedEnd(expected: String)

        /// An unexpected character; `expected` describes what is accepted.
        case unexpectedCharacter(Unicode.Scalar, expected: String)

        /// A comma after the last element or member, with the bracket or brace that follows it.
        case trailingComma(before: Unicode.Scalar)

        /// An unescaped control character inside a string (section 7).
        case controlCharacter(UInt8)

        /// Bytes that are not UTF-8 (section 8.1).
        case invalidUTF8

        /// A backslash that does not start a valid escape (section 7).
        case invalidEscape

        /// An unpaired surrogate (section 8.2 calls the behavior unpredictable, so it is rejected here).
        case unpairedSurrogate

        /// A number outside the range of an IEEE 754 double (section 6 allows the limit).
        case numberOutOfRange

        /// Arrays and objects that are nested deeper than `limit` (section 9 allows the limit).
        case tooDeep(limit: Int)
    }

    /// The kind of error.
    public var problem: Problem

    /// The byte at which the error is, counted from the start of the scanned bytes.
    public var offset: Int

    /// Creates an error from its parts.
    public init(problem: Problem, offset: Int) {
        self.problem = problem
        self.offset = offset
    }
}

extension JSONError {
    /// Returns the first error in `bytes` as one JSON document, or `nil` if there is none.
    ///
    /// Foundation's decoder does not report the position of a syntax error, and accepts some invalid documents.
    ///
    /// - Complexity: O(length).
    public static func first(in bytes: [UInt8]) -> Self? {
        var cursor = JSONCursor(bytes, in: bytes.indices)
        do throws(JSONError) {
            cursor.skipWhitespace()
            try cursor.skipValue(depth: 0)
            cursor.skipWhitespace()
            return cursor.current == nil ? nil : cursor.error(expected: "the end of the document")
        } catch {
            return error
        }
    }
}

extension JSONError {
    /// Returns the place of the error in the scanned bytes as `LINE:COLUMN`, both from 1.
    ///
    /// - Complexity: O(length).
    package func place(in bytes: [UInt8]) -> String {
        let location = LineTable(bytes).location(of: offset)
        return "\(location.line):\(location.column)"
    }
}

extension JSONError: CustomStringConvertible {
    /// A human-readable clause, without the position.
    public var description: String {
        switch problem {
        case .unexpectedEnd(let expected): "the JSON ends where \(expected) should be"
        case .unexpectedCharacter(let character, let expected):
            "found \(character.nameForMessages) where \(expected) should be" + Self.hint(about: character)
        case .trailingComma(let bracket): "no comma may stand before '\(bracket)'; remove it"
        case .controlCharacter(let byte): "\(Unicode.Scalar(byte).nameForMessages) must be escaped inside a string"
        case .invalidUTF8: "the bytes are not UTF-8"
        case .invalidEscape: #"a backslash must be followed by one of "\/bfnrt or u and four hexadecimal digits"#
        case .unpairedSurrogate: #"unpaired surrogate: \uD800 to \uDBFF must be followed by \uDC00 to \uDFFF"#
        case .numberOutOfRange: "the number is out of the range of a double"
        case .tooDeep(let limit): "arrays and objects are nested deeper than \(limit)"
        }
    }

    private static func hint(about character: Unicode.Scalar) -> String {
        let quotationMarks: Set<Unicode.Scalar> = ["'", "\u{2018}", "\u{2019}", "\u{201C}", "\u{201D}", "\u{201E}"]
        return quotationMarks.contains(character) ? "; JSON has only straight double quotation marks" : ""
    }
}

extension Unicode.Scalar {
    /// The character in quotation marks, with its code point unless it is ASCII; the code point alone if invisible.
    package var nameForMessages: String {
        let digits = String(value, radix: 16, uppercase: true)
        let codePoint = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        switch self {
        case " ": return "a space"
        case "\n": return "a line break"
        case "!"..."~": return "'\(self)'"
        default: break
        }
        let isUnclear = [.spaceSeparator, .nonspacingMark, .enclosingMark].contains(properties.generalCategory)
        return isInvisible || isUnclear ? codePoint : "'\(self)' (\(codePoint))"
    }
}
