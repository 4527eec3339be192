/// A byte-by-byte text search that ignores the case of ASCII letters.
enum MessageSearch {
    /// Returns the offset in bytes of the first occurrence of `pattern` in `text`; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - pattern: the bytes to look for.
    ///   - text: the text to search.
    ///   - asWholeURL: whether a match counts only if the URL ends there.
    /// - Returns: the offset.
    static func firstOffset(of pattern: [UInt8], in text: String, asWholeURL: Bool = false) -> Int? {
        guard let first = pattern.first.map(folded) else { return 0 }
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.count >= pattern.count else { return nil }
            return (0...(bytes.count - pattern.count)).first { start in
                folded(bytes[start]) == first
                    && pattern.indices.allSatisfy { folded(bytes[start + $0]) == folded(pattern[$0]) }
                    && (!asWholeURL || endsURL(bytes[(start + pattern.count)...]))
            }
        }
    }

    /// Returns whether `text` contains `pattern`.
    static func contains(_ pattern: [UInt8], in text: String, asWholeURL: Bool = false) -> Bool {
        firstOffset(of: pattern, in: text, asWholeURL: asWholeURL) != nil
    }

    /// Returns a URL without its scheme, if it has one.
    static func withoutScheme(_ url: String) -> Substring {
        url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
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
