internal import TextBasics

extension String {
    /// The text with the characters for which JSON has two escapes, which YAML does not have.
    ///
    /// A backslash and what is after it are read as one, so that an escaped backslash begins no escape. Bytes are read,
    /// because a mark after an escape makes another character of its last digit.
    var replacingSurrogatePairs: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count)
        var rest = Substring(self).utf8
        while let start = rest.firstIndex(of: UInt8(ascii: "\\")) {
            bytes.append(contentsOf: rest[..<start])
            rest = rest[start...]
            let escapes = Array(rest.prefix(2 * Self.escapeLength))
            if let scalar = Unicode.Scalar(surrogatePairEscapes: escapes) {
                bytes.append(contentsOf: String(Character(scalar)).utf8)
                rest = rest.dropFirst(escapes.count)
            } else {
                bytes.append(contentsOf: escapes.prefix(2))
                rest = rest.dropFirst(2)
            }
        }
        bytes.append(contentsOf: rest)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The length of an escape of JSON, such as `\ud83d`.
    fileprivate static let escapeLength = 6
}

extension Unicode.Scalar {
    /// Creates the character for which JSON has two escapes; `nil` if the bytes are something else.
    fileprivate init?(surrogatePairEscapes bytes: [UInt8]) {
        guard let high = UInt16(escape: bytes.prefix(String.escapeLength)), UTF16.isLeadSurrogate(high),
            let low = UInt16(escape: bytes.dropFirst(String.escapeLength)), UTF16.isTrailSurrogate(low)
        else { return nil }
        let (highBits, lowBits) = (UInt32(high & 0x3FF), UInt32(low & 0x3FF))
        self.init(0x1_0000 + (highBits << 10 | lowBits))
    }
}

extension UInt16 {
    /// Creates the code unit of an escape of JSON; `nil` if the bytes are something else.
    fileprivate init?(escape bytes: ArraySlice<UInt8>) {
        let digits = bytes.dropFirst(2).compactMap(\.hexadecimalValue)
        guard bytes.count == String.escapeLength, bytes.starts(with: "\\u".utf8), digits.count == 4 else { return nil }
        self = digits.reduce(0) { $0 << 4 | UInt16($1) }
    }
}
