internal import ASCII

extension LinkText {
    /// Returns where path, query and fragment end that start at `start`; `start` where there are none.
    ///
    /// - Complexity: O(length of what follows up to a space).
    func endOfTail(from start: Int) -> Int {
        switch byte(at: start) {
        case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): break
        default: return start
        }
        var position = start
        var brackets = OpenBrackets()
        var word = WordScript.none
        while position < bytes.count, brackets.isOpenable {
            let byte = bytes[position]
            if byte < 0x80 {
                guard !Self.isTailEnd(byte), brackets.pass(byte, at: position) else { break }
                word.pass(byte)
                position += 1
            } else {
                let (scalar, end) = character(at: position)
                guard word.pass(LinkCharacter(scalar)) else { break }
                position = end
            }
        }
        return brackets.first ?? position
    }

    /// Whether an ASCII character ends a URL.
    ///
    /// They are those that RFC 3986 has no use for and that stand around URLs; `|`, `^` and braces are in some all the
    /// same.
    private static func isTailEnd(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, 0x7F, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "`"): true
        case UInt8(ascii: "\\"): true
        default: false
        }
    }
}

/// The script that a word of a path started with: text of an unspaced script that follows on ASCII is not the URL's.
private enum WordScript {
    case none
    case spaced
    case unspaced

    /// Goes on by a character of ASCII.
    mutating func pass(_ byte: UInt8) {
        if !byte.isASCIIAlphanumeric {
            self = .none
        } else if self == .none {
            self = .spaced
        }
    }

    /// Goes on by a character beyond ASCII; returns whether it is still the URL's.
    mutating func pass(_ character: LinkCharacter) -> Bool {
        switch (character, self) {
        case (.end, _), (.unspaced, .spaced): return false
        case (.unspaced, _): self = .unspaced
        case (.other, .none): self = .spaced
        case (.other, _): break
        }
        return true
    }
}

/// The brackets of a URL that have no partner yet.
private struct OpenBrackets {
    /// So many would let a hostile text be read over and over; a URL with them ends at the first.
    private static let maximumDepth = 64

    private var open: [(closing: UInt8, position: Int)] = []

    /// Where the first one stands.
    var first: Int? {
        open.first?.position
    }

    var isOpenable: Bool {
        open.count < Self.maximumDepth
    }

    /// Goes on by a character; returns `false` where it is a bracket that has no partner.
    mutating func pass(_ byte: UInt8, at position: Int) -> Bool {
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
