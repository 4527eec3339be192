internal import TextBasics

/// A JSON string, as a range of the scanned bytes.
public struct ScannedString: Sendable, Equatable {
    /// The range of the string, without its quotation marks.
    public var range: Range<Int>

    /// Whether the string has escapes, so that its value differs from its bytes.
    public var hasEscapes: Bool

    /// Returns the value of the string; `bytes` are the scanned bytes.
    ///
    /// - Complexity: O(length).
    public func string(in bytes: [UInt8]) -> String {
        hasEscapes ? unescaped(bytes) : String(decoding: bytes[range], as: UTF8.self)
    }

    /// Returns the value with its escapes resolved; the scanner has validated them, so this cannot fail.
    private func unescaped(_ bytes: [UInt8]) -> String {
        var units: [UInt16] = []
        units.reserveCapacity(range.count)
        var position = range.lowerBound
        var literalStart = position
        while position < range.upperBound {
            guard bytes[position] == UInt8(ascii: "\\") else {
                position += 1
                continue
            }
            units.append(contentsOf: String(decoding: bytes[literalStart..<position], as: UTF8.self).utf16)
            let escape = bytes[position + 1]
            if escape == UInt8(ascii: "u") {
                let digits = bytes[(position + 2)..<(position + 6)]
                units.append(digits.reduce(0) { $0 << 4 | UInt16($1.hexadecimalValue ?? 0) })
                position += 6
            } else {
                units.append(UInt16(Self.character(escapedBy: escape)))
                position += 2
            }
            literalStart = position
        }
        units.append(contentsOf: String(decoding: bytes[literalStart..<position], as: UTF8.self).utf16)
        return String(decoding: units, as: UTF16.self)
    }

    private static func character(escapedBy byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: byte
        }
    }
}
