/// A set of numbers from 0, one bit each.
struct BitSet: Sendable {
    private var words: [UInt64] = []

    /// The number of its members.
    private(set) var count = 0

    /// Returns whether a number is in the set.
    func contains(_ number: Int) -> Bool {
        number >> 6 < words.count && words[number >> 6] & (1 << UInt64(number & 63)) != 0
    }

    /// Adds a number; returns whether it is new.
    mutating func insert(_ number: Int) -> Bool {
        if number >> 6 >= words.count {
            words.append(contentsOf: repeatElement(0, count: max(words.count, number >> 6 + 1 - words.count)))
        }
        let bit: UInt64 = 1 << UInt64(number & 63)
        guard words[number >> 6] & bit == 0 else { return false }
        words[number >> 6] |= bit
        count += 1
        return true
    }

    /// Returns the numbers that are in this set and not in another one, ascending.
    func subtracting(_ other: Self) -> some Sequence<Int> {
        words.indices.lazy.flatMap { index -> [Int] in
            var rest = words[index] & ~(index < other.words.count ? other.words[index] : 0)
            var numbers: [Int] = []
            while rest != 0 {
                numbers.append(index << 6 + rest.trailingZeroBitCount)
                rest &= rest - 1
            }
            return numbers
        }
    }
}
