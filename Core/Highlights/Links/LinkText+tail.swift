internal import TextBasics

extension LinkText {
    /// Returns the end of the path, query and fragment that start at `start`; `start` if there are none.
    ///
    /// - Complexity: O(length of the text up to the next space).
    func endOfTail(from start: Int) -> Int {
        switch byte(at: start) {
        case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): break
        default: return start
        }
        var position = start
        var brackets = OpenBrackets()
        var word = WordScript.none
        while position < bytes.count, brackets.canOpenMore {
            let byte = bytes[position]
            if byte < 0x80 {
                guard !Self.isTailEnd(byte), brackets.advance(over: byte, at: position) else { break }
                word.advance(over: byte)
                position += 1
            } else {
                let (scalar, end) = character(at: position)
                guard word.advance(over: LinkCharacter(scalar)) else { break }
                position = end
            }
        }
        return brackets.first ?? position
    }

    /// Returns whether an ASCII character ends a URL.
    ///
    /// These are characters that RFC 3986 does not allow and that often surround URLs. `|`, `^` and braces do occur in
    /// URLs, so they do not end one.
    private static func isTailEnd(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, 0x7F, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "`"): true
        case UInt8(ascii: "\\"): true
        default: false
        }
    }
}

/// The script of the current word in a path.
///
/// If text of an unspaced script follows an ASCII letter or digit directly, it is not part of the URL.
private enum WordScript {
    case none
    case spaced
    case unspaced

    /// Continues with an ASCII character.
    mutating func advance(over byte: UInt8) {
        if !byte.isASCIIAlphanumeric {
            self = .none
        } else if self == .none {
            self = .spaced
        }
    }

    /// Continues with a non-ASCII character and returns whether it is still part of the URL.
    mutating func advance(over character: LinkCharacter) -> Bool {
        switch (character, self) {
        case (.end, _), (.unspaced, .spaced): return false
        case (.unspaced, _): self = .unspaced
        case (.other, .none): self = .spaced
        case (.other, _): break
        }
        return true
    }
}

/// The brackets of a URL that are still open.
private struct OpenBrackets {
    /// The number of open brackets at which a URL ends, at the first of them.
    ///
    /// The limit keeps a hostile text from being scanned over and over.
    private static let maximumDepth = 64

    private var open: [(closing: UInt8, position: Int)] = []

    /// The position of the first open bracket.
    var first: Int? {
        open.first?.position
    }

    var canOpenMore: Bool {
        open.count < Self.maximumDepth
    }

    /// Continues with a character; returns `false` if it is a closing bracket without a partner.
    mutating func advance(over byte: UInt8, at position: Int) -> Bool {
        switch byte {
        case UInt8(ascii: "("): open.append((closing: UInt8(ascii: ")"), position: position))
        case UInt8(ascii: "["): open.append((closing: UInt8(ascii: "]"), position: position))
        case UInt8(ascii: "{"): open.append((closing: UInt8(ascii: "}"), position: position))
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
            guard open.last?.closing == byte else { return false }
            open.removeLast()
        default: break
        }
        return true
    }
}
