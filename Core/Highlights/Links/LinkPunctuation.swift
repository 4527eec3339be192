internal import ASCII

extension LinkText {
    /// Returns where path, query and fragment end without the punctuation of the sentence around the link.
    ///
    /// - Parameters:
    ///   - tail: Where path, query and fragment stand.
    ///   - linkStart: Where the link starts.
    /// - Returns: The end; the start of the tail where it is nothing but punctuation.
    /// - Complexity: O(length of the tail).
    func endWithoutPunctuation(of tail: Range<Int>, linkStart: Int) -> Int {
        var end = tail.upperBound
        var hasOddApostrophe = bytes[tail].count { $0 == UInt8(ascii: "'") } % 2 == 1
        var openUnderscores = underscoreCount(before: linkStart)
        while end > tail.lowerBound {
            switch bytes[end - 1] {
            case UInt8(ascii: "?"), UInt8(ascii: "!"), UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ":"),
                UInt8(ascii: "*"), UInt8(ascii: "~"):
                end -= 1
            case UInt8(ascii: ";"):
                end = startOfEntity(endingAt: end, notBefore: tail.lowerBound) ?? (end - 1)
            case UInt8(ascii: "'") where hasOddApostrophe:
                hasOddApostrophe = false
                end -= 1
            case UInt8(ascii: "_") where openUnderscores > 0:
                openUnderscores -= 1
                end -= 1
            case 0x93 where bytes[..<end].suffix(3).elementsEqual([0xE2, 0x80, 0x93]):
                // An en dash.
                end -= 3
            default:
                return end
            }
        }
        return end
    }

    /// Returns how many underscores stand directly in front of a link: as many are emphasis behind it.
    private func underscoreCount(before linkStart: Int) -> Int {
        var count = 0
        while count < 3, linkStart > count, bytes[linkStart - count - 1] == UInt8(ascii: "_") { count += 1 }
        return count
    }

    /// Returns where an HTML entity such as `&gt;` starts that ends at `end`, if one does.
    private func startOfEntity(endingAt end: Int, notBefore start: Int) -> Int? {
        var position = end - 2
        // No name of an entity is longer.
        while position > start, end - position < 34,
            bytes[position].isASCIIAlphanumeric || bytes[position] == UInt8(ascii: "#")
        {
            position -= 1
        }
        return position >= start && position < end - 2 && bytes[position] == UInt8(ascii: "&") ? position : nil
    }
}
