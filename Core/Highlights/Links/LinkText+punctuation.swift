internal import TextBasics

extension LinkText {
    /// Returns the end of the path, query and fragment without the punctuation of the surrounding sentence.
    ///
    /// - Parameters:
    ///   - tail: The range of the path, query and fragment.
    ///   - linkStart: The start of the link.
    /// - Returns: The end; the start of the tail if the tail is only punctuation.
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
                // This is an en dash.
                end -= 3
            default:
                return end
            }
        }
        return end
    }

    /// Returns the number of underscores directly before a link, at most 3; as many after it mark emphasis.
    private func underscoreCount(before linkStart: Int) -> Int {
        var count = 0
        while count < 3, linkStart > count, bytes[linkStart - count - 1] == UInt8(ascii: "_") { count += 1 }
        return count
    }

    /// Returns the start of the HTML entity, such as `&gt;`, that ends at `end`; `nil` if there is none.
    private func startOfEntity(endingAt end: Int, notBefore start: Int) -> Int? {
        var position = end - 2
        // No entity has a longer name.
        while position > start, end - position < 34,
            bytes[position].isASCIIAlphanumeric || bytes[position] == UInt8(ascii: "#")
        {
            position -= 1
        }
        return position >= start && position < end - 2 && bytes[position] == UInt8(ascii: "&") ? position : nil
    }
}
