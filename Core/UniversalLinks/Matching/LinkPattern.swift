internal import TextBasics

/// A compiled pattern: a sequence of elements that must match a text from start to end.
struct LinkPattern: Sendable {
    /// An element of a pattern.
    enum Element: Sendable {
        /// The bytes in this range of `literals`.
        case literal(start: Int, count: Int)

        /// One character (`?`).
        case anyCharacter

        /// Any number of characters (`*`).
        case anySequence

        /// One of these characters.
        case oneOf(ASCIISet)

        /// One of the values at this index in `alternatives`.
        case alternatives(index: Int)
    }

    /// The values of a variable.
    struct Alternatives: Sendable {
        /// The values that are plain text.
        var words = WordTrie()

        /// The values with wildcards.
        var patterns: [LinkPattern] = []
    }

    private(set) var elements: [Element] = []
    private(set) var literals: [UInt8] = []
    private(set) var alternatives: [Alternatives] = []

    /// Whether the pattern matches every text.
    var matchesEverything: Bool {
        if elements.count == 1, case .anySequence = elements[0] { true } else { false }
    }

    /// The bytes with which every matching text starts.
    var prefix: ArraySlice<UInt8> {
        guard case .literal(let start, let count)? = elements.first else { return [] }
        return literals[start..<(start + count)]
    }

    mutating func append(literal: [UInt8]) {
        elements.append(.literal(start: literals.count, count: literal.count))
        literals += literal
    }

    mutating func append(alternatives newAlternatives: Alternatives) {
        elements.append(.alternatives(index: alternatives.count))
        alternatives.append(newAlternatives)
    }

    /// Appends an element without bytes or values; consecutive `*` are merged.
    mutating func append(_ element: Element) {
        if case .anySequence = element, case .anySequence? = elements.last { return }
        elements.append(element)
    }

    /// Returns whether the pattern matches a whole text.
    ///
    /// - Complexity: O(length of the text · length of the pattern), for every pattern.
    func matches(_ text: Span<UInt8>, _ budget: inout WorkBudget) -> Bool {
        alternatives.isEmpty ? matchesGreedily(text, &budget) : ends(in: text, from: [0], &budget).last == text.count
    }

    /// Returns the end of an element that starts at `position`, or `nil` if it does not match there.
    ///
    /// It cannot be used for elements with several possible ends.
    private func end(
        of element: Element,
        at position: Int,
        in text: Span<UInt8>,
        _ budget: inout WorkBudget
    ) -> Int? {
        switch element {
        case .literal(let start, let count):
            guard count <= text.count - position, budget.spend(count >> 3) else { return nil }
            for offset in 0..<count where text[position + offset] != literals[start + offset] { return nil }
            return position + count
        case .anyCharacter:
            guard position < text.count else { return nil }
            var next = position + 1
            // The continuation bytes of the character, which has at most four bytes.
            while next < text.count, next - position < 4, text[next] & 0xC0 == 0x80 { next += 1 }
            return next
        case .oneOf(let set):
            return position < text.count && set.contains(text[position]) ? position + 1 : nil
        case .anySequence, .alternatives:
            return nil
        }
    }
}

// MARK: - Without alternatives

extension LinkPattern {
    /// Returns whether the pattern matches a text, matching each `*` with as little text as possible.
    ///
    /// If the rest does not match, only the last `*` is extended. An earlier one never needs extending, because the
    /// elements after it were matched as early as possible.
    private func matchesGreedily(_ text: Span<UInt8>, _ budget: inout WorkBudget) -> Bool {
        var position = 0
        var index = 0
        var resumePoint: (index: Int, position: Int)?
        while true {
            guard budget.spend(1) else { return false }
            if index == elements.count, position == text.count { return true }
            if index < elements.count, case .anySequence = elements[index] {
                if index + 1 == elements.count { return true }
                resumePoint = (index + 1, position)
                index += 1
            } else if index < elements.count,
                let end = end(of: elements[index], at: position, in: text, &budget)
            {
                position = end
                index += 1
            } else {
                guard let last = resumePoint, last.position < text.count else { return false }
                resumePoint = (last.index, last.position + 1)
                (index, position) = (last.index, last.position + 1)
            }
        }
    }
}

// MARK: - With alternatives

extension LinkPattern {
    /// Returns the possible ends of the pattern if it starts at one of `starts`, in ascending order.
    ///
    /// All alternatives are followed in parallel, so none is followed twice.
    private func ends(in text: Span<UInt8>, from starts: [Int], _ budget: inout WorkBudget) -> [Int] {
        var positions = starts
        for element in elements {
            guard let first = positions.first, budget.spend(positions.count) else { return [] }
            switch element {
            case .anySequence:
                guard budget.spend(text.count - first) else { return [] }
                positions = Array(first...text.count)
            case .alternatives(let index):
                positions = ends(of: alternatives[index], in: text, from: positions, &budget)
            case .literal, .anyCharacter, .oneOf:
                var ends: [Int] = []
                for position in positions {
                    guard let end = end(of: element, at: position, in: text, &budget), ends.last != end else {
                        continue
                    }
                    ends.append(end)
                }
                positions = ends
            }
        }
        return positions
    }

    private func ends(
        of alternatives: Alternatives,
        in text: Span<UInt8>,
        from starts: [Int],
        _ budget: inout WorkBudget
    ) -> [Int] {
        if starts.count == 1, alternatives.patterns.isEmpty {
            return alternatives.words.ends(in: text, from: starts[0], &budget)
        }
        // Alternatives that end at the same position are merged.
        guard budget.spend(text.count) else { return [] }
        var isEnd = [Bool](repeating: false, count: text.count + 1)
        for start in starts {
            for end in alternatives.words.ends(in: text, from: start, &budget) { isEnd[end] = true }
        }
        for pattern in alternatives.patterns {
            for end in pattern.ends(in: text, from: starts, &budget) { isEnd[end] = true }
        }
        return isEnd.indices.filter { isEnd[$0] }
    }
}
