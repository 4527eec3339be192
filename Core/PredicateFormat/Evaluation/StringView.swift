internal import TextBasics

/// A view of the UTF-8 bytes of a string, valid only as long as the bytes stay in place.
struct StringView {
    let bytes: UnsafeBufferPointer<UInt8>

    /// Whether all bytes are ASCII, so that the string has no composed characters and no canonical equivalents.
    let isASCII: Bool

    /// The bytes as a `String`, which each call creates.
    var string: String {
        String(decoding: bytes, as: UTF8.self)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether all bytes are ASCII.
    var isASCII: Bool {
        allSatisfy { $0 < 0x80 }
    }

    /// Returns whether `other` has the same bytes.
    func isEqual(to other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count == other.count else { return false }
        let (mine, others) = (UnsafeRawBufferPointer(self), UnsafeRawBufferPointer(other))
        // Compares eight bytes at a time; the last eight may overlap the ones before.
        guard count >= 8 else { return mine.elementsEqual(others) }
        for start in stride(from: 0, to: count - 8, by: 8) where !mine.hasEqualWord(as: others, at: start) {
            return false
        }
        return mine.hasEqualWord(as: others, at: count - 8)
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func hasEqualWord(as other: Self, at offset: Int) -> Bool {
        loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            == other.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }
}

extension StringView {
    /// Returns whether both strings have the same UTF-16 code units, which is what `==` means for two `NSString`s.
    ///
    /// Two strings have the same UTF-16 exactly if they have the same UTF-8.
    func hasSameUnits(as other: StringView) -> Bool {
        bytes.isEqual(to: other.bytes)
    }

    /// Returns whether the string contains the bytes of `part` at `start`; `foldingCase` ignores the case of letters.
    func contains(_ part: StringView, at start: Int, foldingCase: Bool) -> Bool {
        guard start >= 0, bytes.count - start >= part.bytes.count else { return false }
        let slice = UnsafeBufferPointer(rebasing: bytes[start..<start + part.bytes.count])
        guard foldingCase else { return slice.isEqual(to: part.bytes) }
        return slice.elementsEqual(part.bytes) { $0.lowercasedASCII == $1.lowercasedASCII }
    }

    /// Returns whether the string precedes `other`, byte by byte, or equals it if `orEquals`.
    ///
    /// `foldingCase` ignores the case of letters.
    func precedes(_ other: StringView, orEquals: Bool, foldingCase: Bool) -> Bool {
        for (mine, others) in zip(bytes, other.bytes) {
            let (left, right) = foldingCase ? (mine.lowercasedASCII, others.lowercasedASCII) : (mine, others)
            if left != right { return left < right }
        }
        return orEquals ? bytes.count <= other.bytes.count : bytes.count < other.bytes.count
    }
}
