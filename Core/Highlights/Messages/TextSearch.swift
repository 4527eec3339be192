/// Looking for text in text, byte by byte, letters of ASCII without regard to case.
enum TextSearch {
    /// Returns whether `text` has `pattern` in it.
    static func contains(_ pattern: [UInt8], in text: String) -> Bool {
        guard let first = pattern.first.map(folded) else { return true }
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.count >= pattern.count else { return false }
            return (0...(bytes.count - pattern.count)).contains { start in
                folded(bytes[start]) == first
                    && pattern.indices.allSatisfy { folded(bytes[start + $0]) == folded(pattern[$0]) }
            }
        }
    }

    private static func folded(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}
