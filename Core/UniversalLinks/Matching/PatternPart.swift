/// A part of a pattern as written.
enum PatternPart: Hashable, Sendable {
    /// Literal text.
    case text(String)

    /// `?`
    case any

    /// `*`
    case many

    /// `$(name)`
    case variable(String)

    /// A `$(` without its closing `)`.
    case unterminated

    /// The part as written.
    var text: String {
        switch self {
        case .text(let text): text
        case .any: "?"
        case .many: "*"
        case .variable(let name): "$(\(name))"
        case .unterminated: "$("
        }
    }

    /// The name, if the part is a variable.
    var variable: String? {
        guard case .variable(let name) = self else { return nil }
        return name
    }

    /// Splits a pattern into its parts; a pattern has no escapes for its special characters.
    static func parts(of pattern: some Sequence<UInt8>) -> [PatternPart] {
        let bytes = Array(pattern)
        var parts: [PatternPart] = []
        var textStart = 0
        var position = 0
        func endText() {
            guard textStart < position else { return }
            parts.append(.text(String(decoding: bytes[textStart..<position], as: UTF8.self)))
        }
        while position < bytes.count {
            guard let (part, length) = Self.special(at: position, in: bytes) else {
                position += 1
                continue
            }
            endText()
            parts.append(part)
            position += length
            textStart = position
        }
        endText()
        return parts
    }

    /// Returns whether a pattern has a variable, or the start of one.
    static func hasVariables(_ pattern: String) -> Bool {
        let bytes = Array(pattern.utf8)
        return bytes.indices.dropLast().contains { index in
            bytes[index] == UInt8(ascii: "$") && bytes[index + 1] == UInt8(ascii: "(")
        }
    }

    private static func special(at position: Int, in bytes: [UInt8]) -> (PatternPart, length: Int)? {
        switch bytes[position] {
        case UInt8(ascii: "?"): return (.any, 1)
        case UInt8(ascii: "*"): return (.many, 1)
        case UInt8(ascii: "$") where position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: "("):
            guard let end = bytes[position...].firstIndex(of: UInt8(ascii: ")")) else {
                return (.unterminated, bytes.count - position)
            }
            let name = String(decoding: bytes[(position + 2)..<end], as: UTF8.self)
            return (.variable(name), end + 1 - position)
        default: return nil
        }
    }
}
