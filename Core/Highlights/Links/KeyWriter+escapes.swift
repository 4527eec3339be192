extension KeyWriter {
    /// Returns a part of a URL with escapes in upper case and unnecessary escapes decoded (RFC 3986, sections 6.2.2.1
    /// and 6.2.2.2).
    mutating func unescaped(_ part: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard part.contains(UInt8(ascii: "%")) else { return part }
        var unescaped: [UInt8] = []
        unescaped.reserveCapacity(part.count)
        var position = part.startIndex
        while position < part.endIndex {
            // In a parsed URL, every percent sign starts an escape.
            guard part[position] == UInt8(ascii: "%"), position + 2 < part.endIndex else {
                unescaped.append(part[position])
                position += 1
                continue
            }
            let (high, low) = (part[position + 1], part[position + 2])
            let byte = high.valueOfHexadecimalDigit << 4 | low.valueOfHexadecimalDigit
            if byte.isUnreserved {
                unescaped.append(byte)
                note(.unescaped)
            } else {
                unescaped += [UInt8(ascii: "%"), high.uppercaseOfASCII, low.uppercaseOfASCII]
                note(.escapeCase, if: high != high.uppercaseOfASCII || low != low.uppercaseOfASCII)
            }
            position += 3
        }
        return unescaped[...]
    }
}

extension UInt8 {
    /// Whether the byte means the same with and without an escape (RFC 3986, section 2.3).
    fileprivate var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: isLetterOrDigitOfASCII
        }
    }

    fileprivate var uppercaseOfASCII: UInt8 {
        self &- UInt8(ascii: "a") < 26 ? self & 0xDF : self
    }

    /// The value of a hexadecimal digit.
    fileprivate var valueOfHexadecimalDigit: UInt8 {
        isDigitOfASCII ? self & 0x0F : (self & 0x0F) + 9
    }
}
