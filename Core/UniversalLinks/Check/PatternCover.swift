/// A pattern prepared for comparing it with other patterns: whether it matches all or some of what another one matches.
struct PatternCover {
    /// An element of a pattern; a variable is one element.
    fileprivate enum Symbol: Hashable {
        case character(Unicode.Scalar)
        case any
        case many
        case variable(String)
    }

    private let symbols: [Symbol]

    /// Prepares the parts of a pattern.
    init(_ parts: [PatternPart], isFolded: Bool) {
        symbols = parts.flatMap { part in
            switch part {
            case .text(let text):
                let letters = isFolded ? String(decoding: CaseFolding.folded(text.utf8), as: UTF8.self) : text
                return letters.unicodeScalars.map(Symbol.character)
            case .any: return [.any]
            case .many: return [.many]
            case .variable(let name): return [.variable(name)]
            case .unterminated: return [.variable("(")]
            }
        }
    }

    /// Whether the pattern matches everything.
    var isAnything: Bool {
        !symbols.isEmpty && symbols.allSatisfy { $0 == .many }
    }

    /// Returns whether the pattern matches everything that `other` matches; the answer may be a false negative.
    ///
    /// - Complexity: O(length · length).
    func covers(_ other: PatternCover, _ budget: inout WorkBudget) -> Bool {
        var (mine, others) = (0, 0)
        var resume: (mine: Int, others: Int)?
        while true {
            guard budget.spend(1) else { return false }
            if mine == symbols.count, others == other.symbols.count { return true }
            if mine < symbols.count, symbols[mine] == .many {
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

extension PatternCover {
    /// Returns whether a text may match this pattern and `other`; a variable counts as any text.
    ///
    /// - Complexity: O(length · length).
    func mayOverlap(_ other: PatternCover, _ budget: inout WorkBudget) -> Bool {
        guard budget.spend(symbols.count * other.symbols.count) else { return true }
        // row[count]: whether a text may match the symbols so far and the first `count` symbols of the other pattern.
        var row = [true]
        for symbol in other.symbols { row.append(row[row.count - 1] && symbol.isAnyText) }
        for mine in symbols {
            var next = [row[0] && mine.isAnyText]
            for (index, symbol) in other.symbols.enumerated() {
                next.append(
                    mine.isAnyText || symbol.isAnyText
                        ? row[index + 1] || next[index]
                        : row[index] && (mine.covers(symbol) || symbol.covers(mine))
                )
            }
            row = next
        }
        return row[row.count - 1]
    }
}

extension PatternCover.Symbol {
    /// Whether the element may match texts of any length, a variable included.
    fileprivate var isAnyText: Bool {
        switch self {
        case .many, .variable: true
        case .any, .character: false
        }
    }

    /// Returns whether the element matches everything that `other` matches; false for `*`.
    fileprivate func covers(_ other: Self) -> Bool {
        switch (self, other) {
        case (.any, .character), (.any, .any): true
        default: self == other && self != .many
        }
    }
}
