/// Looking for text in text, byte by byte, letters of ASCII without regard to case.
enum TextSearch {
    /// Returns whether `text` has `pattern` in it.
    ///
    /// - Parameters:
    ///   - pattern: what to look for.
    ///   - text: where to look for it.
    ///   - asWholeURL: whether it only counts where no URL goes on behind it.
    /// - Returns: whether it is there.
    static func contains(_ pattern: [UInt8], in text: String, asWholeURL: Bool = false) -> Bool {
        guard let first = pattern.first.map(folded) else { return true }
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.count >= pattern.count else { return false }
            return (0...(bytes.count - pattern.count)).contains { start in
                folded(bytes[start]) == first
                    && pattern.indices.allSatisfy { folded(bytes[start + $0]) == folded(pattern[$0]) }
                    && (!asWholeURL || endsURL(bytes[(start + pattern.count)...]))
            }
        }
    }

    /// Whether no URL goes on in what follows: punctuation of the sentence may, and then a space or nothing.
    private static func endsURL(_ rest: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard let next = rest.first(where: { !".,:;!?)]}'\"".utf8.contains($0) }) else { return true }
        return next <= 0x20 || next > 0x7F
    }

    private static func folded(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}
