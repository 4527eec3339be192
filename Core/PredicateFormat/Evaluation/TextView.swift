internal import ASCII

/// A text as its UTF-8 bytes, for as long as they stay where they are.
struct TextView {
    let bytes: UnsafeBufferPointer<UInt8>

    /// Whether all of the bytes are ASCII, so that there is nothing composed in the text and nothing equivalent.
    let isASCII: Bool

    /// The same text, for those who cannot do with bytes; it is made anew each time.
    var text: String {
        String(decoding: bytes, as: UTF8.self)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether all bytes are ASCII.
    var isASCII: Bool {
        allSatisfy { $0 < 0x80 }
    }

    /// Whether the same bytes stand in `other`.
    func isEqual(to other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count == other.count else { return false }
        let (mine, others) = (UnsafeRawBufferPointer(self), UnsafeRawBufferPointer(other))
        // Eight bytes at a time, the last eight of them perhaps once more.
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
    /// Whether both texts have the same UTF-16 code units, which is what `==` means between two `NSString`s.
    ///
    /// Two texts have the same UTF-16 exactly if they have the same UTF-8.
    func hasSameUnits(as other: TextView) -> Bool {
        bytes.isEqual(to: other.bytes)
    }

    /// Whether the bytes of `part` stand in the text from `start`; as lower case where that is asked for.
    func has(_ part: TextView, at start: Int, foldingCase: Bool) -> Bool {
        guard start >= 0, bytes.count - start >= part.bytes.count else { return false }
        let place = UnsafeBufferPointer(rebasing: bytes[start..<start + part.bytes.count])
        guard foldingCase else { return place.isEqual(to: part.bytes) }
        return place.elementsEqual(part.bytes) { $0.lowercasedASCII == $1.lowercasedASCII }
    }

    /// Whether the text goes before `other`, or is equal to it, byte by byte; as lower case where that is asked for.
    func goesBefore(_ other: TextView, orEquals: Bool, foldingCase: Bool) -> Bool {
        for (mine, others) in zip(bytes, other.bytes) {
            let (left, right) = foldingCase ? (mine.lowercasedASCII, others.lowercasedASCII) : (mine, others)
            if left != right { return left < right }
        }
        return orEquals ? bytes.count <= other.bytes.count : bytes.count < other.bytes.count
    }
}
