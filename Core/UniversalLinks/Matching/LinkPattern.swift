/// A pattern of a rule, ready to be matched: a sequence of elements that must cover a text from its start to its end.
struct LinkPattern: Sendable {
    /// A part of a pattern.
    enum Element: Sendable {
        /// These bytes.
        case literal([UInt8])

        /// One character (`?`).
        case any

        /// Any number of characters (`*`).
        case many

        /// One of these characters.
        case oneOf(ASCIISet)

        /// One of these values.
        case choice(Choice)
    }

    /// The values of a variable.
    struct Choice: Sendable {
        /// Those that are plain text.
        var words = WordTrie()

        /// Those with wildcards.
        var patterns: [[Element]] = []
    }

    let elements: [Element]

    /// Whether there are values of different lengths to choose from.
    private let hasChoice: Bool

    init(_ elements: [Element]) {
        self.elements = elements
        hasChoice = elements.contains { if case .choice = $0 { true } else { false } }
    }

    /// Whether it matches every text.
    var matchesEverything: Bool {
        !elements.isEmpty && elements.allSatisfy { if case .many = $0 { true } else { false } }
    }

    /// Whether it covers the text in `range` of `bytes`.
    ///
    /// - Complexity: O(length of the text · length of the pattern), whatever the pattern is.
    func matches(_ bytes: [UInt8], in range: Range<Int>, _ budget: inout WorkBudget) -> Bool {
        hasChoice
            ? Self.ends(of: elements[...], from: [range.lowerBound], in: bytes, to: range.upperBound, &budget).last
                == range.upperBound
            : coversGreedily(bytes, range, &budget)
    }
}

// MARK: - Without choices

extension LinkPattern {
    /// Takes each `*` as short as it can be, and makes the last one longer where what follows does not fit: an earlier one
    /// never has to be, as what follows it was found as early as possible.
    private func coversGreedily(_ bytes: [UInt8], _ range: Range<Int>, _ budget: inout WorkBudget) -> Bool {
        var position = range.lowerBound
        var index = 0
        var resume: (index: Int, position: Int)?
        while true {
            guard budget.spend(1) else { return false }
            if index == elements.count, position == range.upperBound { return true }
            if index < elements.count, case .many = elements[index] {
                if index + 1 == elements.count { return true }
                resume = (index + 1, position)
                index += 1
            } else if index < elements.count,
                let end = elements[index].end(at: position, in: bytes, to: range.upperBound, &budget)
            {
                position = end
                index += 1
            } else {
                guard let last = resume, last.position < range.upperBound else { return false }
                resume = (last.index, last.position + 1)
                (index, position) = (last.index, last.position + 1)
            }
        }
    }
}

extension LinkPattern.Element {
    /// Returns where the element ends if it starts at `position`; `nil` where it does not stand there.
    ///
    /// Not for what can end at several places.
    fileprivate func end(at position: Int, in bytes: [UInt8], to end: Int, _ budget: inout WorkBudget) -> Int? {
        switch self {
        case .literal(let literal):
            guard literal.count <= end - position, budget.spend(literal.count >> 3) else { return nil }
            for index in literal.indices where bytes[position + index] != literal[index] { return nil }
            return position + literal.count
        case .any:
            guard position < end else { return nil }
            var next = position + 1
            // The rest of a character of several bytes.
            while next < end, bytes[next] & 0xC0 == 0x80 { next += 1 }
            return next
        case .oneOf(let set):
            return position < end && set.contains(bytes[position]) ? position + 1 : nil
        case .many, .choice:
            return nil
        }
    }
}

// MARK: - With choices

extension LinkPattern {
    /// Returns where the elements can end if they start at one of `starts`, in ascending order.
    ///
    /// All ways are gone at once, so that none is gone twice.
    private static func ends(
        of elements: ArraySlice<Element>,
        from starts: [Int],
        in bytes: [UInt8],
        to end: Int,
        _ budget: inout WorkBudget
    ) -> [Int] {
        var positions = starts
        for element in elements {
            guard let first = positions.first, budget.spend(positions.count) else { return [] }
            switch element {
            case .many:
                positions = Array(first...end)
            case .choice(let choice):
                positions = choice.ends(from: positions, in: bytes, to: end, &budget)
            case .literal, .any, .oneOf:
                var ends: [Int] = []
                for position in positions {
                    guard let next = element.end(at: position, in: bytes, to: end, &budget) else { continue }
                    if ends.last != next { ends.append(next) }
                }
                positions = ends
            }
        }
        return positions
    }
}

extension LinkPattern.Choice {
    fileprivate func ends(from starts: [Int], in bytes: [UInt8], to end: Int, _ budget: inout WorkBudget) -> [Int] {
        var ends: Set<Int> = []
        for start in starts {
            words.forEachEnd(in: bytes, from: start, to: end, &budget) { ends.insert($0) }
        }
        for pattern in patterns {
            ends.formUnion(LinkPattern.ends(of: pattern[...], from: starts, in: bytes, to: end, &budget))
        }
        return ends.sorted()
    }
}
