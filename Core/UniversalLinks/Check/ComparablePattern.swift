/// A pattern prepared for comparing it with other patterns: whether it matches all or some of what another one matches.
struct ComparablePattern {
    /// An element of a pattern; a variable is one element.
    fileprivate enum Symbol: Hashable {
        case character(Unicode.Scalar)
        case anyCharacter
        case anySequence
        case variable(String)
    }

    private let symbols: [Symbol]

    /// Prepares the parts of a pattern.
    init(_ parts: [PatternPart], foldingCase: Bool) {
        symbols = parts.flatMap { part in
            switch part {
            case .text(let text):
                let letters = foldingCase ? String(decoding: CaseFolding.folded(text.utf8), as: UTF8.self) : text
                return letters.unicodeScalars.map(Symbol.character)
            case .anyCharacter: return [.anyCharacter]
            case .anySequence: return [.anySequence]
            case .variable(let name): return [.variable(name)]
            case .unterminated: return [.variable("(")]
            }
        }
    }

    /// Whether the pattern matches every string.
    var matchesEverything: Bool {
        !symbols.isEmpty && symbols.allSatisfy { $0 == .anySequence }
    }

    /// Returns whether the pattern matches everything that `other` matches; the result may be a false negative.
    ///
    /// - Complexity: O(length · length).
    func covers(_ other: ComparablePattern, _ budget: inout WorkBudget) -> Bool {
        var (index, otherIndex) = (0, 0)
        var resumePoint: (index: Int, otherIndex: Int)?
        while true {
            guard budget.spend(1) else { return false }
            if index == symbols.count, otherIndex == other.symbols.count { return true }
            if index < symbols.count, symbols[index] == .anySequence {
                resumePoint = (index + 1, otherIndex)
                index += 1
            } else if index < symbols.count, otherIndex < other.symbols.count,
                symbols[index].covers(other.symbols[otherIndex])
            {
                index += 1
                otherIndex += 1
            } else {
                guard let last = resumePoint, last.otherIndex < other.symbols.count else { return false }
                resumePoint = (last.index, last.otherIndex + 1)
                (index, otherIndex) = (last.index, last.otherIndex + 1)
            }
        }
    }
}

extension ComparablePattern {
    /// Returns whether a string may match this pattern and `other`; a variable may match any string.
    ///
    /// - Complexity: O(length · length).
    func mayOverlap(_ other: ComparablePattern, _ budget: inout WorkBudget) -> Bool {
        guard budget.spend(symbols.count * other.symbols.count) else { return true }
        // row[count]: whether a string may match the symbols so far and the first `count` symbols of the other pattern.
        var row = [true]
        for otherSymbol in other.symbols { row.append(row[row.count - 1] && otherSymbol.matchesAnyLength) }
        for symbol in symbols {
            var nextRow = [row[0] && symbol.matchesAnyLength]
            for (index, otherSymbol) in other.symbols.enumerated() {
                nextRow.append(
                    symbol.matchesAnyLength || otherSymbol.matchesAnyLength
                        ? row[index + 1] || nextRow[index]
                        : row[index] && (symbol.covers(otherSymbol) || otherSymbol.covers(symbol))
                )
            }
            row = nextRow
        }
        return row[row.count - 1]
    }
}

extension ComparablePattern.Symbol {
    /// Whether the element may match strings of any length, as `*` and a variable do.
    fileprivate var matchesAnyLength: Bool {
        switch self {
        case .anySequence, .variable: true
        case .anyCharacter, .character: false
        }
    }

    /// Returns whether this element, other than `*`, matches everything that `other` matches.
    fileprivate func covers(_ other: Self) -> Bool {
        switch (self, other) {
        case (.anyCharacter, .character), (.anyCharacter, .anyCharacter): true
        default: self == other && self != .anySequence
        }
    }
}
