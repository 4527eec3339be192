/// A pattern prepared for deciding whether it matches everything that another one matches.
///
/// A positive answer is always right. A negative answer may be wrong, for example if several rules together cover a
/// pattern.
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

    /// Returns whether the pattern matches everything that `other` matches.
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

extension PatternCover.Symbol {
    /// Returns whether the element matches everything that `other` matches; false for `*`.
    fileprivate func covers(_ other: Self) -> Bool {
        switch (self, other) {
        case (.any, .character), (.any, .any): true
        default: self == other && self != .many
        }
    }
}
