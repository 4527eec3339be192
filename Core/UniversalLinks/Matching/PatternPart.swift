/// A part of a pattern as written.
enum PatternPart: Hashable, Sendable {
    /// Literal text.
    case text(String)

    /// `?`
    case anyCharacter

    /// `*`
    case anySequence

    /// `$(name)`
    case variable(String)

    /// A `$(` without its closing `)`.
    case unterminated

    /// The part as written.
    var text: String {
        switch self {
        case .text(let text): text
        case .anyCharacter: "?"
        case .anySequence: "*"
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
            guard let (part, length) = Self.specialPart(at: position, in: bytes) else {
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

    private static func specialPart(at position: Int, in bytes: [UInt8]) -> (PatternPart, length: Int)? {
        switch bytes[position] {
        case UInt8(ascii: "?"): return (.anyCharacter, 1)
        case UInt8(ascii: "*"): return (.anySequence, 1)
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

/// The parts of a path pattern, in the form in which it is compared with a path (reference: technote 3155).
///
/// A path is compared as a whole: it starts with one slash and has none at its end. A pattern takes the same form, and
/// gets its leading slash if it has none, unless it starts with a wildcard, which may match that slash.
struct PathPatternParts {
    /// The whole pattern.
    let whole: [PatternPart]

    /// The pattern without the `/*` at its end, which matches too: `/buy/*` matches `/buy`.
    let folder: [PatternPart]?

    init(_ pattern: String) {
        let (slash, star) = (UInt8(ascii: "/"), UInt8(ascii: "*"))
        let trimmed = Array(pattern.utf8).drop { $0 == slash }.droppingLast { $0 == slash }
        let isEverything = !trimmed.isEmpty && trimmed.allSatisfy { $0 == star }
        let startsWithWildcard = "*?".utf8.contains { $0 == pattern.utf8.first }
        // Every path starts with a slash, so "/*" is the same as "*".
        let path = isEverything || startsWithWildcard ? trimmed : [slash] + trimmed
        let folder = path.droppingLast { $0 == star }
        whole = PatternPart.parts(of: path)
        let hasFolder = folder.count < path.count && folder.last == slash
        self.folder = hasFolder ? PatternPart.parts(of: folder.dropLast()) : nil
    }
}

extension ArraySlice {
    /// Returns the slice without the elements at its end that satisfy the condition.
    fileprivate func droppingLast(while isDropped: (Element) -> Bool) -> ArraySlice {
        self[..<(lastIndex { !isDropped($0) }.map { $0 + 1 } ?? startIndex)]
    }
}
