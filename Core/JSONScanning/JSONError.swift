/// A place where bytes stop being JSON, and why.
public struct JSONError: Error, Equatable, Sendable {
    /// What is wrong with a JSON text; the rules are RFC 8259's.
    public enum Problem: Equatable, Sendable {
        /// The text ends where `expected` should be.
        case unexpectedEnd(expected: String)

        /// A byte that does not belong where it is; `expected` says what does.
        case unexpectedByte(UInt8, expected: String)

        /// A raw control character inside a string (section 7: it must be escaped).
        case controlCharacter(UInt8)

        /// Bytes that are not UTF-8 (section 8.1).
        case invalidUTF8

        /// A backslash followed by something that is no escape (section 7).
        case invalidEscape

        /// Half of a surrogate pair (section 8.2: unpredictable, so refused here).
        case unpairedSurrogate

        /// A number outside the range of IEEE 754 double precision (section 6 allows the limit).
        case numberOutOfRange

        /// Arrays and objects nested deeper than `limit` (section 9 allows the limit).
        case tooDeep(limit: Int)
    }

    /// What is wrong.
    public var problem: Problem

    /// The byte where it went wrong, counted from the start of the bytes that were scanned.
    public var offset: Int

    /// Creates an error from its parts.
    public init(problem: Problem, offset: Int) {
        self.problem = problem
        self.offset = offset
    }
}

extension JSONError {
    /// Returns the first error of `bytes` as one JSON document; `nil` where there is none.
    ///
    /// Foundation's decoder does not say where a document stops being JSON, and accepts some that are not.
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

extension JSONError: CustomStringConvertible {
    /// A clause for a person, without the place.
    public var description: String {
        switch problem {
        case .unexpectedEnd(let expected): "the JSON ends where \(expected) should be"
        case .unexpectedByte(let byte, let expected): "found \(Self.name(of: byte)) where \(expected) should be"
        case .controlCharacter(let byte): "\(Self.name(of: byte)) must be escaped inside a string"
        case .invalidUTF8: "the bytes are not UTF-8"
        case .invalidEscape: #"a backslash must be followed by one of "\/bfnrt or u and four hexadecimal digits"#
        case .unpairedSurrogate: #"half a surrogate pair: \uD800 to \uDBFF must be followed by \uDC00 to \uDFFF"#
        case .numberOutOfRange: "the number is beyond what a double can hold"
        case .tooDeep(let limit): "arrays and objects are nested deeper than \(limit)"
        }
    }

    private static func name(of byte: UInt8) -> String {
        switch byte {
        case 0x21...0x7E: "'\(Character(Unicode.Scalar(byte)))'"
        case 0x20: "a space"
        case 0x0A: "a line break"
        default: "byte 0x" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
    }
}
