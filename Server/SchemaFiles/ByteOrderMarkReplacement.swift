internal import TextBasics
internal import Yams

/// A replacement of U+FEFF in a text, so that Yams does not drop it.
///
/// Yams creates strings with an initializer of Foundation that takes U+FEFF at their start for a byte order mark.
/// Another character, which the text does not have, replaces U+FEFF before Yams reads the text; in the strings of the
/// tree, U+FEFF replaces that character. The digits of an escape are replaced, too, wherever they are. All replacements
/// have the size of what they replace, so places stay the same.
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
    ///
    /// The first digit of each is none of its other digits, so digits that are replaced never form others.
    private static let substitutes = ([0xFDDA...0xFDDE, 0xFDEA...0xFDEE] as [ClosedRange<UInt32>])
        .joined().compactMap { Unicode.Scalar($0) }

    private let substitute: Spelling

    /// Creates a replacement for a text; `nil` if the text does not have U+FEFF, or has all characters that could
    /// replace it.
    init?(for text: String) {
        // Most texts have neither a character of that block nor an escape.
        guard text.utf8.contains(where: { $0 == Self.mark.encoding[0] || $0 == UInt8(ascii: "\\") }) else { return nil }
        let bytes = Array(text.utf8)
        guard Self.mark.isContained(in: bytes),
            let substitute = Self.substitutes.lazy.map(Spelling.init).first(where: { !$0.isContained(in: bytes) })
        else { return nil }
        self.substitute = substitute
    }

    /// Returns the text without U+FEFF, except at the start of lines, where libyaml ignores it.
    func replacingMarks(in text: String) -> String {
        Self.replacing(Self.mark, with: substitute, in: text, exceptAtLineStarts: true)
    }

    /// Returns a string from the replaced text with U+FEFF.
    func restoringMarks(in string: String) -> String {
        Self.replacing(substitute, with: Self.mark, in: string, exceptAtLineStarts: false)
    }

    /// Returns a tree of the replaced text with U+FEFF.
    func restoringMarks(in node: Node) -> Node {
        switch node {
        case .alias: return node
        case .scalar(let scalar):
            let string = restoringMarks(in: scalar.string)
            return .scalar(Node.Scalar(string, scalar.tag, scalar.style, scalar.mark))
        case .sequence(var elements):
            for index in elements.indices { elements[index] = restoringMarks(in: elements[index]) }
            return .sequence(elements)
        case .mapping(let members):
            var pairs: [(Node, Node)] = []
            for (key, value) in members { pairs.append((restoringMarks(in: key), restoringMarks(in: value))) }
            return .mapping(Node.Mapping(pairs, members.tag, members.style, members.mark))
        }
    }

    private static func replacing(
        _ old: Spelling,
        with new: Spelling,
        in text: String,
        exceptAtLineStarts: Bool
    ) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        while result.count < bytes.count {
            let rest = bytes[result.count...]
            let isAtLineStart = result.last.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } ?? true
            if rest.starts(with: old.encoding), !(exceptAtLineStarts && isAtLineStart) {
                result += new.encoding
            } else if rest.starts(with: old.digits, by: { $0.lowercasedASCII == $1 }) {
                result += zip(new.digits, rest).map { digit, oldDigit in digit & ~0x20 | oldDigit & 0x20 }
            } else if let byte = rest.first {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
