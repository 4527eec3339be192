/// A text with single-unit wildcards to search for.
///
/// The search tracks all prefixes at once, one bit each (Baeza-Yates and Gonnet, "A new approach to text searching").
struct WildcardSearch: Sendable {
    private let needleLength: Int

    /// The number of words that hold one bit for each unit of the needle.
    private let wordCount: Int

    /// For each distinct unit of the needle, a row with the bits of its positions; the last row, for all other units,
    /// is empty.
    private var masks: [UInt64]

    /// The bits of the positions that any unit matches.
    private var wildcards: [UInt64]

    /// The row in `masks` for each unit; an array for ASCII, as most units are ASCII.
    private let asciiRows: [Int]
    private let rows: [UInt32: Int]
    private let otherRow: Int

    init(_ needle: [UInt32], wildcard: UInt32) {
        needleLength = needle.count
        wordCount = (needle.count + 63) / 64
        let alphabet = Set(needle).subtracting([wildcard]).sorted()
        let rows = Dictionary(uniqueKeysWithValues: alphabet.enumerated().map { ($1, $0) })
        let otherRow = alphabet.count
        asciiRows = (0..<128).map { rows[$0] ?? otherRow }
        self.rows = rows
        self.otherRow = otherRow
        masks = Array(repeating: 0, count: (alphabet.count + 1) * wordCount)
        wildcards = Array(repeating: 0, count: wordCount)
        for (position, unit) in needle.enumerated() {
            let (word, bit) = (position / 64, UInt64(1) << UInt64(position % 64))
            if unit == wildcard {
                wildcards[word] |= bit
            } else {
                masks[(rows[unit] ?? otherRow) * wordCount + word] |= bit
            }
        }
    }

    /// Returns the position of the first match in `range`, or `nil` if there is none.
    ///
    /// With `foldingCase`, ASCII capitals in the text match lower-case letters.
    ///
    /// - Complexity: O(length of `range`) for every 64 units of the needle.
    func firstMatch<Unit: FixedWidthInteger & UnsignedInteger>(
        in text: UnsafeBufferPointer<Unit>,
        _ range: Range<Int>,
        foldingCase: Bool
    ) -> Int? {
        withUnsafeTemporaryAllocation(of: UInt64.self, capacity: wordCount) { matchedPrefixes in
            matchedPrefixes.initialize(repeating: 0)
            let last = (word: (needleLength - 1) / 64, bit: UInt64(1) << UInt64((needleLength - 1) % 64))
            for index in range {
                let unit = UInt32(truncatingIfNeeded: text[index]).lowercasedASCII(if: foldingCase)
                advance(matchedPrefixes, over: unit)
                if matchedPrefixes[last.word] & last.bit != 0 { return index + 1 - needleLength }
            }
            return nil
        }
    }

    private func advance(_ matchedPrefixes: UnsafeMutableBufferPointer<UInt64>, over unit: UInt32) {
        let row = (unit < 128 ? asciiRows[Int(unit)] : rows[unit] ?? otherRow) * wordCount
        var carry: UInt64 = 1
        for word in 0..<wordCount {
            let shifted = matchedPrefixes[word] << 1 | carry
            carry = matchedPrefixes[word] >> 63
            matchedPrefixes[word] = shifted & (masks[row + word] | wildcards[word])
        }
    }
}
