internal import TextBasics
internal import Yams

/// A replacement of U+FEFF in a text, so that Yams does not drop it.
///
/// Yams creates strings with an initializer of Foundation that takes U+FEFF at their start for a byte order mark.
/// Another character, which the text does not have, replaces U+FEFF before Yams reads the text, also in escapes such as
/// `\ufeff`; in the strings of the tree, U+FEFF replaces that character. All replacements have the size of what they
/// replace, so places stay the same.
struct ByteOrderMarkReplacement {
    /// A character in the two forms in which it may be in a text.
    private struct Spelling {
        /// The character in UTF-8.
        let encoding: [UInt8]

        /// The digits of its escape, in lower case; all of them are letters, so that their case can be preserved.
        let digits: [UInt8]

        init(_ scalar: Unicode.Scalar) {
            encoding = Array(String(Character(scalar)).utf8)
            digits = Array(String(scalar.value, radix: 16).utf8)
        }

        /// Whether bytes contain the character, or the digits of its escape in any case.
        func isContained(in bytes: [UInt8]) -> Bool {
            bytes.contains(encoding) || bytes.map(\.lowercasedASCII).contains(digits)
        }
    }

    private static let mark = Spelling("\u{FEFF}")

    /// Characters that no text uses (Unicode, section 23.7).
    private static let substitutes: [Unicode.Scalar] = ([0xFDDA...0xFDDE, 0xFDEA...0xFDEE] as [ClosedRange<UInt32>])
        .joined().compactMap { Unicode.Scalar($0) }

    private let substitute: Spelling

    /// Creates a replacement for a text; `nil` if the text does not have U+FEFF, or has all characters that could
    /// replace it.
    init?(for text: String) {
        let bytes = Array(text.utf8)
        // Most texts have neither a character of that block nor an escape.
        guard bytes.contains(where: { $0 == 0xEF || $0 == UInt8(ascii: "\\") }),
            Self.mark.isContained(in: bytes),
            let substitute = Self.substitutes.lazy.map({ Spelling($0) }).first(where: { !$0.isContained(in: bytes) })
        else { return nil }
        self.substitute = substitute
    }

    /// Returns the text without U+FEFF, except at the start of lines, where libyaml ignores it.
    func replacingMarks(in text: String) -> String {
        Self.replacing(Self.mark, with: substitute, in: text, replacesEscapes: true, replacesLineStarts: false)
    }

    /// Returns a string from the replaced text with U+FEFF.
    ///
    /// - Parameters:
    ///   - string: the string.
    ///   - hasEscapes: whether escapes are part of the string, as in a text without double quotes.
    /// - Returns: the string.
    func restoringMarks(in string: String, hasEscapes: Bool = false) -> String {
        Self.replacing(substitute, with: Self.mark, in: string, replacesEscapes: hasEscapes, replacesLineStarts: true)
    }

    /// Returns a tree of the replaced text with U+FEFF.
    func restoringMarks(ofTree node: Node) -> Node {
        switch node {
        case .alias: return node
        case .scalar(let scalar):
            let string = restoringMarks(in: scalar.string, hasEscapes: scalar.style != .doubleQuoted)
            return .scalar(Node.Scalar(string, scalar.tag, scalar.style, scalar.mark))
        case .sequence(var elements):
            for index in elements.indices { elements[index] = restoringMarks(ofTree: elements[index]) }
            return .sequence(elements)
        case .mapping(let members):
            var pairs: [(Node, Node)] = []
            for (key, value) in members { pairs.append((restoringMarks(ofTree: key), restoringMarks(ofTree: value))) }
            return .mapping(Node.Mapping(pairs, members.tag, members.style, members.mark))
        }
    }

    private static func replacing(
        _ old: Spelling,
        with new: Spelling,
        in text: String,
        replacesEscapes: Bool,
        replacesLineStarts: Bool
    ) -> String {
        var rest = Array(text.utf8)[...]
        var result: [UInt8] = []
        result.reserveCapacity(rest.count)
        while let byte = rest.first {
            if replacesEscapes, byte == UInt8(ascii: "\\") {
                // A backslash and what is after it are read as one, so that an escaped backslash begins no escape.
                let start = rest.prefix(2)
                result += start
                rest = rest.dropFirst(start.count)
                let digits = rest.prefix(old.digits.count)
                guard start.last == UInt8(ascii: "u"), digits.map(\.lowercasedASCII) == old.digits else { continue }
                for (digit, oldDigit) in zip(new.digits, digits) {
                    result.append(oldDigit == oldDigit.lowercasedASCII ? digit : digit.uppercasedASCII)
                }
                rest = rest.dropFirst(digits.count)
            } else if rest.starts(with: old.encoding), replacesLineStarts || !endsLine(result) {
                result += new.encoding
                rest = rest.dropFirst(old.encoding.count)
            } else {
                result.append(byte)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns whether the next byte is the first one of a line.
    private static func endsLine(_ bytes: [UInt8]) -> Bool {
        guard let last = bytes.last else { return true }
        return last == UInt8(ascii: "\n") || last == UInt8(ascii: "\r")
    }
}
