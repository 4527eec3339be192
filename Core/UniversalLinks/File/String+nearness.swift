extension String {
    /// Whether the text is most likely meant where `other` was written: the same but for case, or up to two letters.
    func isNearly(_ other: String) -> Bool {
        if lowercased() == other.lowercased() { return true }
        let (mine, others) = (Array(utf8), Array(other.utf8))
        guard 3...64 ~= mine.count, 3...64 ~= others.count, abs(mine.count - others.count) <= 2 else { return false }
        return Self.distance(mine, others) <= Swift.min(2, mine.count / 3)
    }

    /// Returns how many letters must be changed, put in or taken out to get from one text to the other (Levenshtein).
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
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
