internal import TextBasics

/// A cursor that moves forward over the values of a JSON text and validates them by RFC 8259.
///
/// It does not build values: it reports a string or a number as a range of bytes.
public struct JSONCursor {
    /// The maximum nesting depth.
    ///
    /// Foundation's decoder stops at 512; no notification comes near either limit.
    public static let maximumDepth = 128

    /// The bytes that are scanned.
    public let bytes: [UInt8]

    /// The offset after the last byte of the text.
    public let end: Int

    /// The offset of the next byte.
    public private(set) var position: Int

    private let allowsLineBreaks: Bool
    private let maximumDepth: Int

    /// Creates a cursor at the start of `range`.
    ///
    /// - Parameters:
    ///   - bytes: the bytes that contain `range`.
    ///   - range: the range of the text.
    ///   - allowsLineBreaks: whether line breaks are white space; `false` if each line is a document.
    ///   - maximumDepth: how deep arrays and objects may be nested.
    public init(
        _ bytes: [UInt8],
        in range: Range<Int>,
        allowsLineBreaks: Bool = true,
        maximumDepth: Int = JSONCursor.maximumDepth
    ) {
        self.bytes = bytes
        self.allowsLineBreaks = allowsLineBreaks
        self.maximumDepth = maximumDepth
        position = range.lowerBound
        end = range.upperBound
    }

    /// The next byte, or `nil` at the end.
    public var current: UInt8? {
        position < end ? bytes[position] : nil
    }

    /// Whether a number starts here.
    public var isAtNumber: Bool {
        guard let current else { return false }
        return current == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= current
    }

    /// Returns the error for the next character, or for the end of the text, if `expected` should be here.
    public func error(expected: String) -> JSONError {
        var decoder = UTF8()
        var rest = bytes[position..<end].makeIterator()
        let problem: JSONError.Problem =
            switch decoder.decode(&rest) {
            case .scalarValue(let character): .unexpectedCharacter(character, expected: expected)
            case .emptyInput: .unexpectedEnd(expected: expected)
            case .error: .invalidUTF8
            }
        return JSONError(problem: problem, offset: position)
    }

    /// Skips white space (section 2).
    public mutating func skipWhitespace() {
        while position < end {
            switch bytes[position] {
            case 0x20, 0x09, 0x0D: position += 1
            case 0x0A where allowsLineBreaks: position += 1
            default: return
            }
        }
    }

    /// Skips `byte` if it is next, and returns whether it was.
    public mutating func skip(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        position += 1
        return true
    }

    /// Skips `byte`, which must be next.
    public mutating func require(_ byte: UInt8, expected: String) throws(JSONError) {
        guard skip(byte) else { throw error(expected: expected) }
    }

    /// Skips one value of any kind; `depth` is its nesting depth.
    public mutating func skipValue(depth: Int) throws(JSONError) {
        guard let current else { throw error(expected: "a value") }
        switch current {
        case UInt8(ascii: "\""): _ = try readString()
        case UInt8(ascii: "{"): try skipObject(depth: depth)
        case UInt8(ascii: "["): try skipArray(depth: depth)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): _ = try readNumber()
        case UInt8(ascii: "t"): try skipWord("true")
        case UInt8(ascii: "f"): try skipWord("false")
        case UInt8(ascii: "n"): try skipWord("null")
        default: throw error(expected: "a value")
        }
    }

    /// Skips `word`, which must be next.
    public mutating func skipWord(_ word: StaticString) throws(JSONError) {
        for offset in 0..<word.utf8CodeUnitCount {
            guard current == word.utf8Start[offset] else { throw error(expected: "'\(word)'") }
            position += 1
        }
    }

    private mutating func skipArray(depth: Int) throws(JSONError) {
        guard try enterArray(depth: depth) else { return }
        repeat { try skipValue(depth: depth + 1) } while try advanceToNextElement()
    }

    private mutating func skipObject(depth: Int) throws(JSONError) {
        guard try enterObject(depth: depth) else { return }
        repeat {
            _ = try readName()
            try skipValue(depth: depth + 1)
        } while try advanceToNextMember()
    }

    /// Enters the array that starts here, moves to its first element, and returns whether there is one.
    mutating func enterArray(depth: Int) throws(JSONError) -> Bool {
        try enter(depth: depth)
        return !skip(UInt8(ascii: "]"))
    }

    /// Enters the object that starts here, moves to its first member, and returns whether there is one.
    public mutating func enterObject(depth: Int) throws(JSONError) -> Bool {
        try enter(depth: depth)
        return !skip(UInt8(ascii: "}"))
    }

    private mutating func enter(depth: Int) throws(JSONError) {
        guard depth < maximumDepth else {
            throw JSONError(problem: .tooDeep(limit: maximumDepth), offset: position)
        }
        position += 1
        skipWhitespace()
    }

    /// Moves from the end of an element to the next, or past the end of the array, and returns whether there is one.
    mutating func advanceToNextElement() throws(JSONError) -> Bool {
        skipWhitespace()
        if skip(UInt8(ascii: "]")) { return false }
        try skipComma(expected: "',' or ']'", closingBracket: UInt8(ascii: "]"))
        return true
    }

    /// Moves from the end of a member to the next, or past the end of the object, and returns whether there is one.
    public mutating func advanceToNextMember() throws(JSONError) -> Bool {
        skipWhitespace()
        if skip(UInt8(ascii: "}")) { return false }
        try skipComma(expected: "',' or '}'", closingBracket: UInt8(ascii: "}"))
        return true
    }

    private mutating func skipComma(expected: String, closingBracket: UInt8) throws(JSONError) {
        let commaOffset = position
        try require(UInt8(ascii: ","), expected: expected)
        skipWhitespace()
        guard current != closingBracket else {
            throw JSONError(problem: .trailingComma(before: Unicode.Scalar(closingBracket)), offset: commaOffset)
        }
    }

    /// Reads a member's name, and moves past the colon to the value.
    public mutating func readName() throws(JSONError) -> ScannedString {
        guard current == UInt8(ascii: "\"") else { throw error(expected: "a name in quotation marks") }
        let name = try readString()
        skipWhitespace()
        try require(UInt8(ascii: ":"), expected: "':'")
        skipWhitespace()
        return name
    }

    /// Reads a number (section 6); `isInteger` is `true` if it has neither a fraction nor an exponent.
    public mutating func readNumber() throws(JSONError) -> (range: Range<Int>, isInteger: Bool) {
        let start = position
        var isInteger = true
        var hasExponent = false
        _ = skip(UInt8(ascii: "-"))
        // No digit may follow a leading zero.
        if !skip(UInt8(ascii: "0")) { try skipDigits() }
        if skip(UInt8(ascii: ".")) {
            isInteger = false
            try skipDigits()
        }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            isInteger = false
            hasExponent = true
            if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
            try skipDigits()
        }
        // A number can be out of range only if it has an exponent, or more digits than the largest double.
        let digitCountOfLargestDouble = 309
        if hasExponent || position - start >= digitCountOfLargestDouble {
            let text = String(decoding: bytes[start..<position], as: UTF8.self)
            guard let value = Double(text), value.isFinite else {
                throw JSONError(problem: .numberOutOfRange, offset: start)
            }
        }
        return (start..<position, isInteger)
    }

    private mutating func skipDigits() throws(JSONError) {
        let start = position
        while let current, UInt8(ascii: "0")...UInt8(ascii: "9") ~= current { position += 1 }
        guard position > start else { throw error(expected: "a digit") }
    }

    /// Reads the string that starts here.
    public mutating func readString() throws(JSONError) -> ScannedString {
        position += 1
        let start = position
        var hasEscapes = false
        while true {
            skipPlainCharacters()
            guard position < end else { throw error(expected: "the end of a string") }
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return ScannedString(range: start..<(position - 1), hasEscapes: hasEscapes)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                try skipEscape()
            case 0x00..<0x20:
                throw JSONError(problem: .controlCharacter(byte), offset: position)
            default:
                try skipMultibyteScalar(lead: byte)
            }
        }
    }

    /// Skips the one-byte characters of a string that need no escape; most characters are of this kind.
    private mutating func skipPlainCharacters() {
        // The unsafe buffer avoids a bounds check per byte; `end` bounds the loop, which sees nearly every byte.
        position = bytes.withUnsafeBufferPointer { bytes in
            var index = position
            while index < end {
                let byte = bytes[index]
                guard byte &- 0x20 < 0x60, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else { break }
                index += 1
            }
            return index
        }
    }

    private mutating func skipEscape() throws(JSONError) {
        let start = position
        position += 1
        guard let escape = current else { throw error(expected: "the rest of an escape") }
        position += 1
        switch escape {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return
        case UInt8(ascii: "u"):
            let unit = try readHexadecimalUnit(escapeStart: start)
            if UTF16.isTrailSurrogate(unit) { throw JSONError(problem: .unpairedSurrogate, offset: start) }
            if UTF16.isLeadSurrogate(unit) { try skipTrailSurrogate(leadStart: start) }
        default:
            throw JSONError(problem: .invalidEscape, offset: start)
        }
    }

    private mutating func skipTrailSurrogate(leadStart: Int) throws(JSONError) {
        let start = position
        guard skip(UInt8(ascii: "\\")), skip(UInt8(ascii: "u")),
            UTF16.isTrailSurrogate(try readHexadecimalUnit(escapeStart: start))
        else {
            throw JSONError(problem: .unpairedSurrogate, offset: leadStart)
        }
    }

    private mutating func readHexadecimalUnit(escapeStart: Int) throws(JSONError) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let current, let digit = current.hexadecimalValue else {
                throw JSONError(problem: .invalidEscape, offset: escapeStart)
            }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }

    /// Skips one scalar of two to four bytes, rejecting overlong forms, surrogates and anything above U+10FFFF (Unicode
    /// 15, table 3-7).
    private mutating func skipMultibyteScalar(lead: UInt8) throws(JSONError) {
        let secondByteRange: ClosedRange<UInt8>
        let length: Int
        switch lead {
        case 0xC2...0xDF: (secondByteRange, length) = (0x80...0xBF, 2)
        case 0xE0: (secondByteRange, length) = (0xA0...0xBF, 3)
        case 0xE1...0xEC, 0xEE...0xEF: (secondByteRange, length) = (0x80...0xBF, 3)
        case 0xED: (secondByteRange, length) = (0x80...0x9F, 3)
        case 0xF0: (secondByteRange, length) = (0x90...0xBF, 4)
        case 0xF1...0xF3: (secondByteRange, length) = (0x80...0xBF, 4)
        case 0xF4: (secondByteRange, length) = (0x80...0x8F, 4)
        default: throw JSONError(problem: .invalidUTF8, offset: position)
        }
        guard position + length <= end, secondByteRange ~= bytes[position + 1],
            bytes[(position + 2)..<(position + length)].allSatisfy({ 0x80...0xBF ~= $0 })
        else {
            throw JSONError(problem: .invalidUTF8, offset: position)
        }
        position += length
    }
}
