extension LineStyle {
    /// Breaks a text into lines.
    ///
    /// - Parameters:
    ///   - text: plain text.
    ///   - room: how wide a line may be.
    ///   - most: how many lines there may be; the last has an ellipsis where the text goes on.
    /// - Returns: the lines, without white space at their ends.
    func lines(of text: String, within room: Points, atMost most: Int) -> [String] {
        var lines: [String] = [""]
        for unit in text.unbreakableUnits {
            let line = lines.removeLast()
            let fits = line.isEmpty || lines.count + 1 == most || width(of: (line + unit).withoutSpaceAtEnd) <= room
            lines += fits ? [line + unit] : [line, String(unit)]
        }
        return lines.compactMap { fitted($0.withoutSpaceAtEnd, within: room) }.filter { !$0.isEmpty }
    }
}

extension String {
    /// The text without the white space that it ends with.
    var withoutSpaceAtEnd: String {
        var text = self
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }

    /// The parts between which a line may end: words with the space after them, and single characters of Chinese and
    /// Japanese, with the punctuation that belongs to them.
    fileprivate var unbreakableUnits: [Substring] {
        var units: [Substring] = []
        var start = startIndex
        for (before, index) in zip(indices, indices.dropFirst())
        where Self.mayBreak(between: self[before], and: self[index]) {
            units.append(self[start..<index])
            start = index
        }
        return units + [self[start...]]
    }

    private static func mayBreak(between left: Character, and right: Character) -> Bool {
        if right.isWhitespace { return false }
        if left.isWhitespace { return true }
        return (left.isIdeographic || right.isIdeographic) && !"\u{2068}「『（".contains(left)
            && !"\u{2069}、。，．？！：」』）…".contains(right)
    }
}

extension Character {
    /// Whether it is as wide as it is high, and no syllable of Korean, which has spaces between words.
    fileprivate var isIdeographic: Bool {
        let isHangul = unicodeScalars.first.map { ("\u{AC00}"..."\u{D7A3}").contains($0) } ?? false
        return !isHangul && TextMeasure(size: 1).width(of: self) == Points(1)
    }
}
