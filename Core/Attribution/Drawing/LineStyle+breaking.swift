extension LineStyle {
    /// Breaks a text into lines.
    ///
    /// A word that is wider than a line is broken between grapheme clusters.
    ///
    /// - Parameters:
    ///   - text: plain text.
    ///   - maximumWidth: the maximum width of a line.
    ///   - limit: the maximum number of lines; the last one ends in an ellipsis if the text is longer. By default there
    ///     is no maximum: this is for the device's own phrases, which are never cut.
    /// - Returns: the lines, without white space at their ends.
    func lines(of text: String, within maximumWidth: Points, atMost limit: Int = .max) -> [String] {
        var lines: [String] = []
        var line = ""
        for piece in text.unbreakableUnits.flatMap({ pieces(of: $0, within: maximumWidth) }) {
            let isLast = lines.count + 1 >= limit
            if !isLast, !line.isEmpty, width(of: (line + piece).withoutSpaceAtEnd) > maximumWidth {
                lines.append(line)
                line = ""
            }
            line += piece
        }
        return (lines + [line]).compactMap { fitted($0.withoutSpaceAtEnd, within: maximumWidth) }.filter { !$0.isEmpty }
    }

    /// Returns parts of a text that fit into a line; a cluster that is too wide is a part of its own.
    ///
    /// If a part would start with punctuation, the character before it moves to that part too, provided that both fit.
    private func pieces(of unit: Substring, within maximumWidth: Points) -> [Substring] {
        var pieces: [Substring] = []
        var (start, usedWidth) = (unit.startIndex, Points.zero)
        for index in unit.indices {
            usedWidth += width(of: unit[index])
            guard usedWidth > maximumWidth, index > start, !unit[index].isWhitespace else { continue }
            let previous = unit.index(before: index)
            let pairWidth = width(of: unit[previous]) + width(of: unit[index])
            let keepsPreviousCharacter =
                unit[index].isPunctuation && previous > start && !unit[previous].isWhitespace
                && pairWidth <= maximumWidth
            let end = keepsPreviousCharacter ? previous : index
            pieces.append(unit[start..<end])
            (start, usedWidth) = (end, keepsPreviousCharacter ? pairWidth : width(of: unit[index]))
        }
        return pieces + [unit[start...]]
    }
}

extension String {
    /// The text without trailing white space.
    var withoutSpaceAtEnd: String {
        var text = self
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }

    /// The parts of the text between which a line may break.
    ///
    /// These are words with the space after them, and single Chinese and Japanese characters with what belongs to them:
    /// punctuation, small kana and the long vowel mark.
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
        if right.isWhitespace || neverAtLineStart.contains(right) || neverAtLineEnd.contains(left) { return false }
        return left.isWhitespace || left.isIdeographic || right.isIdeographic
    }

    private static let neverAtLineStart: Set<Character> = Set("\u{2069}、。，．？！：」』）…›ーぁぃぅぇぉっゃゅょァィゥェォッャュョ")

    private static let neverAtLineEnd: Set<Character> = Set("\u{2068}「『（")
}

extension Character {
    /// Whether the character is as wide as it is high, except Korean syllables, as Korean puts spaces between words.
    fileprivate var isIdeographic: Bool {
        let isHangul = unicodeScalars.first.map { ("\u{AC00}"..."\u{D7A3}").contains($0) } ?? false
        return !isHangul && TextMeasure(size: 1).width(of: self) == Points(1)
    }
}
