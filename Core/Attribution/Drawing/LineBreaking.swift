extension LineStyle {
    /// Breaks a text into lines.
    ///
    /// A word that is wider than a line is broken between grapheme clusters.
    ///
    /// - Parameters:
    ///   - text: plain text.
    ///   - room: the maximum width of a line.
    ///   - limit: the maximum number of lines; the last one ends in an ellipsis if the text is longer. By default there
    ///     is no maximum: this is for the device's own phrases, which are never cut.
    /// - Returns: the lines, without white space at their ends.
    func lines(of text: String, within room: Points, atMost limit: Int = .max) -> [String] {
        var lines: [String] = []
        var line = ""
        for piece in text.unbreakableUnits.flatMap({ pieces(of: $0, within: room) }) {
            let isLast = lines.count + 1 >= limit
            if !isLast, !line.isEmpty, width(of: (line + piece).withoutSpaceAtEnd) > room {
                lines.append(line)
                line = ""
            }
            line += piece
        }
        return (lines + [line]).compactMap { fitted($0.withoutSpaceAtEnd, within: room) }.filter { !$0.isEmpty }
    }

    /// Returns parts of a text that fit into a line; a cluster that is too wide is a part of its own.
    ///
    /// If a part would start with punctuation, the character before it moves to that part too, provided that both fit.
    private func pieces(of unit: Substring, within room: Points) -> [Substring] {
        var pieces: [Substring] = []
        var (start, used) = (unit.startIndex, Points.zero)
        for index in unit.indices {
            used += width(of: unit[index])
            guard used > room, index > start, !unit[index].isWhitespace else { continue }
            let before = unit.index(before: index)
            let ending = width(of: unit[before]) + width(of: unit[index])
            let keepsPreviousCharacter =
                unit[index].isPunctuation && before > start && !unit[before].isWhitespace && ending <= room
            let end = keepsPreviousCharacter ? before : index
            pieces.append(unit[start..<end])
            (start, used) = (end, keepsPreviousCharacter ? ending : width(of: unit[index]))
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
        if right.isWhitespace || neverFirst.contains(right) || neverLast.contains(left) { return false }
        return left.isWhitespace || left.isIdeographic || right.isIdeographic
    }

    private static let neverFirst: Set<Character> = Set("\u{2069}、。，．？！：」』）…›ーぁぃぅぇぉっゃゅょァィゥェォッャュョ")

    private static let neverLast: Set<Character> = Set("\u{2068}「『（")
}

extension Character {
    /// Whether the character is as wide as it is high, except Korean syllables, as Korean puts spaces between words.
    fileprivate var isIdeographic: Bool {
        let isHangul = unicodeScalars.first.map { ("\u{AC00}"..."\u{D7A3}").contains($0) } ?? false
        return !isHangul && TextMeasure(size: 1).width(of: self) == Points(1)
    }
}
