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
        var (mine, others) = (0, 0)
        var resume: (mine: Int, others: Int)?
        while true {
            guard budget.spend(1) else { return false }
            if mine == symbols.count, others == other.symbols.count { return true }
            if mine < symbols.count, symbols[mine] == .anySequence {
                resume = (mine + 1, others)
                mine += 1
            } else if mine < symbols.count, others < other.symbols.count,
                symbols[mine].covers(other.symbols[others])
            {
                mine += 1
                others += 1
            } else {
                guard let last = resume, last.others < other.symbols.count else { return false }
                resume = (last.mine, last.others + 1)
                (mine, others) = (last.mine, last.others + 1)
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
        for symbol in other.symbols { row.append(row[row.count - 1] && symbol.matchesAnyLength) }
        for mine in symbols {
            var next = [row[0] && mine.matchesAnyLength]
            for (index, symbol) in other.symbols.enumerated() {
                next.append(
                    mine.matchesAnyLength || symbol.matchesAnyLength
                        ? row[index + 1] || next[index]
                        : row[index] && (mine.covers(symbol) || symbol.covers(mine))
                )
            }
            row = next
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
