/// A text to search for, with a table that lets the search never go back (Knuth, Morris and Pratt).
struct SubstringSearch: Sendable {
    private let needle: [UInt32]

    /// For each prefix of the needle, the length of its longest proper prefix that is also its suffix.
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

    /// Returns the position of the first match in `range`, or `nil` if there is none.
    ///
    /// With `foldingCase`, ASCII capitals in the text match lower-case letters.
    ///
    /// - Complexity: O(length of `range`).
    func firstMatch<Unit: FixedWidthInteger & UnsignedInteger>(
        in text: UnsafeBufferPointer<Unit>,
        _ range: Range<Int>,
        foldingCase: Bool
    ) -> Int? {
        guard let first = needle.first else { return range.lowerBound }
        return needle.withUnsafeBufferPointer { needle in
            var (index, matchedCount) = (range.lowerBound, 0)
            while index < range.upperBound {
                let unit = UInt32(truncatingIfNeeded: text[index]).lowercasedASCII(if: foldingCase)
                if matchedCount == 0, unit != first {
                    index += 1
                    continue
                }
                while matchedCount > 0, needle[matchedCount] != unit { matchedCount = borders[matchedCount - 1] }
                if needle[matchedCount] == unit { matchedCount += 1 }
                index += 1
                if matchedCount == needle.count { return index - matchedCount }
            }
            return nil
        }
    }
}

extension UInt32 {
    /// Returns the lower case of an ASCII letter if `isFolding`; anything else unchanged.
    func lowercasedASCII(if isFolding: Bool) -> UInt32 {
        isFolding && self &- 0x41 < 26 ? self | 0x20 : self
    }
}
