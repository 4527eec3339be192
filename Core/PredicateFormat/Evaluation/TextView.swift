internal import TextBasics

/// A view of the UTF-8 bytes of a text, valid only as long as the bytes stay in place.
struct TextView {
    let bytes: UnsafeBufferPointer<UInt8>

    /// Whether all bytes are ASCII, so that the text has no composed characters and no canonical equivalents.
    let isASCII: Bool

    /// The text as a string, for code that needs one; created at each call.
    var text: String {
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

extension TextView {
    /// Returns whether both texts have the same UTF-16 code units, which is what `==` means for two `NSString`s.
    ///
    /// Two texts have the same UTF-16 exactly if they have the same UTF-8.
    func hasSameUnits(as other: TextView) -> Bool {
        bytes.isEqual(to: other.bytes)
    }

    /// Returns whether the text contains the bytes of `part` at `start`; in lower case if `foldingCase`.
    func has(_ part: TextView, at start: Int, foldingCase: Bool) -> Bool {
        guard start >= 0, bytes.count - start >= part.bytes.count else { return false }
        let place = UnsafeBufferPointer(rebasing: bytes[start..<start + part.bytes.count])
        guard foldingCase else { return place.isEqual(to: part.bytes) }
        return place.elementsEqual(part.bytes) { $0.lowercasedASCII == $1.lowercasedASCII }
    }

    /// Returns whether the text precedes `other`, or equals it if `orEquals`, byte by byte; in lower case if
    /// `foldingCase`.
    func goesBefore(_ other: TextView, orEquals: Bool, foldingCase: Bool) -> Bool {
        for (mine, others) in zip(bytes, other.bytes) {
            let (left, right) = foldingCase ? (mine.lowercasedASCII, others.lowercasedASCII) : (mine, others)
            if left != right { return left < right }
        }
        return orEquals ? bytes.count <= other.bytes.count : bytes.count < other.bytes.count
    }
}
