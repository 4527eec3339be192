internal import ASCII

/// A position in a JSON text that moves forward over whole values, validating them by RFC 8259 as it passes.
///
/// It builds no values: a string or number is reported as the place where it stands.
public struct JSONCursor {
    /// The deepest nesting that is read.
    ///
    /// Foundation's decoder stops at 512; no notification comes near either.
    public static let maximumDepth = 128

    /// The bytes that are scanned.
    public let bytes: [UInt8]

    /// Where the text ends.
    public let end: Int

    /// The byte that comes next.
    public private(set) var position: Int

    private let spansLines: Bool

    /// Creates a cursor at the start of `range`.
    ///
    /// - Parameters:
    ///   - bytes: the bytes that `range` is of.
    ///   - range: where the text stands.
    ///   - spansLines: whether a value may go on behind a line break, as it may not where each line is a document.
    public init(_ bytes: [UInt8], in range: Range<Int>, spansLines: Bool = true) {
        self.bytes = bytes
        self.spansLines = spansLines
        position = range.lowerBound
        end = range.upperBound
    }

    /// The byte at the position, or `nil` at the end.
    public var current: UInt8? {
        position < end ? bytes[position] : nil
    }

    /// Whether a number starts at the position.
    public var isAtNumber: Bool {
        guard let current else { return false }
        return current == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= current
    }

    /// Returns the error that the current byte, or the end, is where `expected` should be.
    public func error(expected: String) -> JSONError {
        guard let current else {
            return JSONError(problem: .unexpectedEnd(expected: expected), offset: position)
        }
        return JSONError(problem: .unexpectedByte(current, expected: expected), offset: position)
    }

    /// Moves over white space (section 2).
    public mutating func skipWhitespace() {
        while position < end {
            switch bytes[position] {
            case 0x20, 0x09, 0x0D: position += 1
            case 0x0A where spansLines: position += 1
            default: return
            }
        }
    }

    /// Moves over `byte` where it stands here; says whether it did.
    public mutating func skip(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        position += 1
        return true
    }

    /// Moves over `byte`, which must stand here.
    public mutating func require(_ byte: UInt8, _ expected: String) throws(JSONError) {
        guard skip(byte) else { throw error(expected: expected) }
    }

    /// Moves over one value of any kind, whose nesting starts at `depth`.
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

    /// Moves over `word`, which must stand here.
    public mutating func skipWord(_ word: StaticString) throws(JSONError) {
        for offset in 0..<word.utf8CodeUnitCount {
            guard current == word.utf8Start[offset] else { throw error(expected: "'\(word)'") }
            position += 1
        }
    }

    private mutating func skipArray(depth: Int) throws(JSONError) {
        guard try enterArray(depth: depth) else { return }
        repeat { try skipValue(depth: depth + 1) } while try hasNextElement()
    }

    private mutating func skipObject(depth: Int) throws(JSONError) {
        guard try enterObject(depth: depth) else { return }
        repeat {
            _ = try readName()
            try skipValue(depth: depth + 1)
        } while try hasNextMember()
    }

    /// Moves into the array that starts here, up to its first element; says whether there is one.
    mutating func enterArray(depth: Int) throws(JSONError) -> Bool {
        try enter(depth: depth)
        return !skip(UInt8(ascii: "]"))
    }

    /// Moves into the object that starts here, up to its first member; says whether there is one.
    public mutating func enterObject(depth: Int) throws(JSONError) -> Bool {
        try enter(depth: depth)
        return !skip(UInt8(ascii: "}"))
    }

    private mutating func enter(depth: Int) throws(JSONError) {
        guard depth < Self.maximumDepth else {
            throw JSONError(problem: .tooDeep(limit: Self.maximumDepth), offset: position)
        }
        position += 1
        skipWhitespace()
    }

    /// Moves from behind an element to the next one or, where there is none, behind the array.
    mutating func hasNextElement() throws(JSONError) -> Bool {
        skipWhitespace()
        if skip(UInt8(ascii: "]")) { return false }
        try require(UInt8(ascii: ","), "',' or ']'")
        skipWhitespace()
        return true
    }

    /// Moves from behind a member to the next one or, where there is none, behind the object.
    public mutating func hasNextMember() throws(JSONError) -> Bool {
        skipWhitespace()
        if skip(UInt8(ascii: "}")) { return false }
        try require(UInt8(ascii: ","), "',' or '}'")
        skipWhitespace()
        return true
    }

    /// Moves over a member's name and the colon behind it, up to its value.
    public mutating func readName() throws(JSONError) -> ScannedText {
        guard current == UInt8(ascii: "\"") else { throw error(expected: "a name in quotation marks") }
        let name = try readString()
        skipWhitespace()
        try require(UInt8(ascii: ":"), "':'")
        skipWhitespace()
        return name
    }

    /// Moves over a number (section 6); `isInteger` says that it has neither fraction nor exponent.
    public mutating func readNumber() throws(JSONError) -> (range: Range<Int>, isInteger: Bool) {
        let start = position
        var isInteger = true
        var hasExponent = false
        _ = skip(UInt8(ascii: "-"))
        // A leading zero stands alone.
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
        // Only an exponent, or more digits than the largest double has, can leave the range.
        let digitsOfLargestDouble = 309
        if hasExponent || position - start >= digitsOfLargestDouble {
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

    /// Moves over the string that starts here.
    public mutating func readString() throws(JSONError) -> ScannedText {
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
                return ScannedText(range: start..<(position - 1), hasEscapes: hasEscapes)
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

    /// Moves over what stands for itself in a string and is one byte: most of what is in most strings.
    private mutating func skipPlainCharacters() {
        // Without the check of each index, which `end` makes superfluous: this loop sees nearly every byte.
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

    /// Moves over one scalar of two to four bytes: no overlong forms, no surrogates, nothing above U+10FFFF
    /// (Unicode 15, table 3-7).
    private mutating func skipMultibyteScalar(lead: UInt8) throws(JSONError) {
        let second: ClosedRange<UInt8>
        let length: Int
        switch lead {
        case 0xC2...0xDF: (second, length) = (0x80...0xBF, 2)
        case 0xE0: (second, length) = (0xA0...0xBF, 3)
        case 0xE1...0xEC, 0xEE...0xEF: (second, length) = (0x80...0xBF, 3)
        case 0xED: (second, length) = (0x80...0x9F, 3)
        case 0xF0: (second, length) = (0x90...0xBF, 4)
        case 0xF1...0xF3: (second, length) = (0x80...0xBF, 4)
        case 0xF4: (second, length) = (0x80...0x8F, 4)
        default: throw JSONError(problem: .invalidUTF8, offset: position)
        }
        guard position + length <= end, second ~= bytes[position + 1],
            bytes[(position + 2)..<(position + length)].allSatisfy({ 0x80...0xBF ~= $0 })
        else {
            throw JSONError(problem: .invalidUTF8, offset: position)
        }
        position += length
    }
}
