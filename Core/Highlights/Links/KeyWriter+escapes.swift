internal import TextBasics

extension KeyWriter {
    /// Returns a part of a URL with escapes in upper case and unnecessary escapes decoded (RFC 3986, sections 6.2.2.1
    /// and 6.2.2.2).
    mutating func normalizeEscapes(in part: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard part.contains(UInt8(ascii: "%")) else { return part }
        var normalizedBytes: [UInt8] = []
        normalizedBytes.reserveCapacity(part.count)
        var position = part.startIndex
        while position < part.endIndex {
            // In a parsed URL, every percent sign starts an escape.
            guard part[position] == UInt8(ascii: "%"), position + 2 < part.endIndex else {
                normalizedBytes.append(part[position])
                position += 1
                continue
            }
            let (high, low) = (part[position + 1], part[position + 2])
            let byte = (high.hexadecimalValue ?? 0) << 4 | (low.hexadecimalValue ?? 0)
            if byte.isUnreserved {
                normalizedBytes.append(byte)
                record(.unescaped)
            } else {
                normalizedBytes += [UInt8(ascii: "%"), high.uppercasedASCII, low.uppercasedASCII]
                record(.escapeCase, if: high != high.uppercasedASCII || low != low.uppercasedASCII)
            }
            position += 3
        }
        return normalizedBytes[...]
    }
}

extension UInt8 {
    /// Whether the byte means the same with and without an escape (RFC 3986, section 2.3).
    fileprivate var isUnreserved: Bool {
        isASCIIAlphanumeric || "-._~".utf8.contains(self)
    }
}
