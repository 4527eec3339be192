extension String {
    /// Whether `other` is probably a misspelling of this string: it differs only in case, and by at most two edits.
    private func isSimilar(to other: String) -> Bool {
        let (lowercase, otherLowercase) = (lowercased(), other.lowercased())
        if lowercase == otherLowercase { return true }
        let (length, otherLength) = (utf8.count, other.utf8.count)
        guard 3...64 ~= length, 3...64 ~= otherLength, abs(length - otherLength) <= 2 else { return false }
        return lowercase.editDistance(to: otherLowercase) <= Swift.min(2, length / 3)
    }

    /// Returns the number of edits that make this string another one: bytes that are inserted, removed or replaced, and
    /// neighbors that are swapped.
    ///
    /// - Complexity: O(n · m), for strings of n and m bytes.
    package func editDistance(to other: String) -> Int {
        let (left, right) = (Array(utf8), Array(other.utf8))
        var rowBeforeLast: [Int] = []
        var lastRow = Array(0...right.count)
        for leftIndex in left.indices {
            var row = [leftIndex + 1]
            for rightIndex in right.indices {
                let isEqual = left[leftIndex] == right[rightIndex]
                let replacementCost = lastRow[rightIndex] + (isEqual ? 0 : 1)
                var distance = Swift.min(replacementCost, lastRow[rightIndex + 1] + 1, row[rightIndex] + 1)
                if leftIndex > 0, rightIndex > 0, left[leftIndex] == right[rightIndex - 1],
                    left[leftIndex - 1] == right[rightIndex]
                {
                    distance = Swift.min(distance, rowBeforeLast[rightIndex - 1] + 1)
                }
                row.append(distance)
            }
            (rowBeforeLast, lastRow) = (lastRow, row)
        }
        return lastRow[right.count]
    }

    /// Returns the name that this string probably misspells, or `nil` if none is similar.
    package func nearest(among names: [String]) -> String? {
        names.filter { isSimilar(to: $0) }.min { editDistance(to: $0) < editDistance(to: $1) }
    }
}
