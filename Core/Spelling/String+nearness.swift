extension String {
    /// Whether `other` is probably a misspelling of this string: it differs only in case, or by at most two edits.
    package func isNearly(_ other: String) -> Bool {
        if lowercased() == other.lowercased() { return true }
        let (mine, others) = (utf8.count, other.utf8.count)
        guard 3...64 ~= mine, 3...64 ~= others, abs(mine - others) <= 2 else { return false }
        return editDistance(to: other) <= Swift.min(2, mine / 3)
    }

    /// Returns the Levenshtein distance to another string, in bytes.
    ///
    /// - Complexity: O(n · m), for strings of n and m bytes.
    package func editDistance(to other: String) -> Int {
        let (left, right) = (Array(utf8), Array(other.utf8))
        var row = Array(0...right.count)
        for (index, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for other in right.indices {
                let replaced = diagonal + (letter == right[other] ? 0 : 1)
                diagonal = row[other + 1]
                row[other + 1] = Swift.min(replaced, diagonal + 1, row[other] + 1)
            }
        }
        return row[right.count]
    }
}
