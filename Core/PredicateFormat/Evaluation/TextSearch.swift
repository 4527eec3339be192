/// A text that is looked for, with the table that keeps a search from ever going back (Knuth, Morris and Pratt).
struct TextSearch: Sendable {
    private let needle: [UInt32]

    /// For every beginning of the needle the length of its longest true beginning that is also its end.
    private let borders: [Int]

    init(_ needle: [UInt32]) {
        self.needle = needle
        var borders = Array(repeating: 0, count: needle.count)
        var length = 0
        for index in needle.indices.dropFirst() {
            while length > 0, needle[index] != needle[length] { length = borders[length - 1] }
            if needle[index] == needle[length] { length += 1 }
            borders[index] = length
        }
        self.borders = borders
    }

    /// Returns where the needle is found first in the units of `range`; `nil` where it is not.
    ///
    /// With `foldingCase`, ASCII capitals of the text count as small letters.
    ///
    /// - Complexity: O(length of `range`).
    func firstMatch<Unit: FixedWidthInteger & UnsignedInteger>(
        in text: UnsafeBufferPointer<Unit>,
        _ range: Range<Int>,
        foldingCase: Bool
    ) -> Int? {
        guard let first = needle.first else { return range.lowerBound }
        return needle.withUnsafeBufferPointer { needle in
            var (index, matched) = (range.lowerBound, 0)
            while index < range.upperBound {
                let unit = UInt32(truncatingIfNeeded: text[index]).lowercasedASCII(if: foldingCase)
                if matched == 0, unit != first {
                    index += 1
                    continue
                }
                while matched > 0, needle[matched] != unit { matched = borders[matched - 1] }
                if needle[matched] == unit { matched += 1 }
                index += 1
                if matched == needle.count { return index - matched }
            }
            return nil
        }
    }
}

extension UInt32 {
    /// The lower case of an ASCII letter if that is asked for; anything else is left as it is.
    func lowercasedASCII(if isFolding: Bool) -> UInt32 {
        isFolding && self &- 0x41 < 26 ? self | 0x20 : self
    }
}
