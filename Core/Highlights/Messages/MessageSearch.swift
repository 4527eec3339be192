/// A byte-by-byte text search that ignores the case of ASCII letters.
enum MessageSearch {
    /// Returns whether `text` contains `pattern`.
    ///
    /// - Parameters:
    ///   - pattern: the bytes to look for.
    ///   - text: the text to search.
    ///   - asWholeURL: whether a match counts only if the URL ends there.
    /// - Returns: whether there is a match.
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

    /// Returns whether a URL ends before `rest`.
    ///
    /// It does if, after any punctuation, the text ends or white space, a control character or a non-ASCII character
    /// follows.
    private static func endsURL(_ rest: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard let next = rest.first(where: { !".,:;!?)]}'\"".utf8.contains($0) }) else { return true }
        return next <= 0x20 || next > 0x7F
    }

    private static func folded(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}
