extension String {
    /// Whether `other` is probably a misspelling of this string: it differs only in case, or by at most two edits.
    package func isSimilar(to other: String) -> Bool {
        if lowercased() == other.lowercased() { return true }
        let (mine, others) = (utf8.count, other.utf8.count)
        guard 3...64 ~= mine, 3...64 ~= others, abs(mine - others) <= 2 else { return false }
        return editDistance(to: other) <= Swift.min(2, mine / 3)
    }

    /// Returns the number of edits that make this string another one: bytes that are inserted, removed or replaced, and
    /// neighbors that are swapped.
    ///
    /// - Complexity: O(n · m), for strings of n and m bytes.
    package func editDistance(to other: String) -> Int {
        let (left, right) = (Array(utf8), Array(other.utf8))
        var rowBeforeLast: [Int] = []
        var lastRow = Array(0...right.count)
        for index in left.indices {
            var row = [index + 1]
            for other in right.indices {
                let replacementCost = lastRow[other] + (left[index] == right[other] ? 0 : 1)
                var edits = Swift.min(replacementCost, lastRow[other + 1] + 1, row[other] + 1)
                if index > 0, other > 0, left[index] == right[other - 1], left[index - 1] == right[other] {
                    edits = Swift.min(edits, rowBeforeLast[other - 1] + 1)
                }
                row.append(edits)
            }
            (rowBeforeLast, lastRow) = (lastRow, row)
        }
        return lastRow[right.count]
    }

    /// Returns the name that this string probably misspells, or `nil` if it is near none.
    package func nearest(among names: [String]) -> String? {
        names.filter { isSimilar(to: $0) }.min { editDistance(to: $0) < editDistance(to: $1) }
    }
}
