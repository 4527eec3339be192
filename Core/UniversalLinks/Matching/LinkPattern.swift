/// A pattern of a rule, ready to be matched: a sequence of elements that must cover a text from its start to its end.
struct LinkPattern: Sendable {
    /// A part of a pattern.
    enum Element: Sendable {
        /// The bytes in this range of `literals`.
        case literal(start: Int, count: Int)

        /// One character (`?`).
        case any

        /// Any number of characters (`*`).
        case many

        /// One of these characters.
        case oneOf(ASCIISet)

        /// One of the values at this place in `choices`.
        case choice(Int)
    }

    /// The values of a variable.
    struct Choice: Sendable {
        /// Those that are plain text.
        var words = WordTrie()

        /// Those with wildcards.
        var patterns: [LinkPattern] = []
    }

    private(set) var elements: [Element] = []
    private(set) var literals: [UInt8] = []
    private(set) var choices: [Choice] = []

    /// Whether it matches every text.
    var matchesEverything: Bool {
        if elements.count == 1, case .many = elements[0] { true } else { false }
    }

    /// The bytes that every text starts with that it matches.
    var prefix: ArraySlice<UInt8> {
        guard case .literal(let start, let count)? = elements.first else { return [] }
        return literals[start..<(start + count)]
    }

    mutating func append(literal: [UInt8]) {
        elements.append(.literal(start: literals.count, count: literal.count))
        literals += literal
    }

    mutating func append(choice: Choice) {
        elements.append(.choice(choices.count))
        choices.append(choice)
    }

    /// Appends an element without bytes or values of its own; two `*` in a row are as good as one.
    mutating func append(_ element: Element) {
        if case .many = element, case .many? = elements.last { return }
        elements.append(element)
    }

    /// Whether it covers a text.
    ///
    /// - Complexity: O(length of the text · length of the pattern), whatever the pattern is.
    func matches(_ text: Span<UInt8>, _ budget: inout WorkBudget) -> Bool {
        choices.isEmpty ? coversGreedily(text, &budget) : ends(in: text, from: [0], &budget).last == text.count
    }

    /// Returns where an element ends if it starts at `position`; `nil` where it does not stand there.
    ///
    /// Not for what can end at several places.
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
        case .any:
            guard position < text.count else { return nil }
            var next = position + 1
            // The rest of a character of several bytes, of which there are four at most.
            while next < text.count, next - position < 4, text[next] & 0xC0 == 0x80 { next += 1 }
            return next
        case .oneOf(let set):
            return position < text.count && set.contains(text[position]) ? position + 1 : nil
        case .many, .choice:
            return nil
        }
    }
}

// MARK: - Without choices

extension LinkPattern {
    /// Takes each `*` as short as it can be, and makes the last one longer where what follows does not fit: an earlier one
    /// never has to be, as what follows it was found as early as possible.
    private func coversGreedily(_ text: Span<UInt8>, _ budget: inout WorkBudget) -> Bool {
        var position = 0
        var index = 0
        var resume: (index: Int, position: Int)?
        while true {
            guard budget.spend(1) else { return false }
            if index == elements.count, position == text.count { return true }
            if index < elements.count, case .many = elements[index] {
                if index + 1 == elements.count { return true }
                resume = (index + 1, position)
                index += 1
            } else if index < elements.count,
                let end = end(of: elements[index], at: position, in: text, &budget)
            {
                position = end
                index += 1
            } else {
                guard let last = resume, last.position < text.count else { return false }
                resume = (last.index, last.position + 1)
                (index, position) = (last.index, last.position + 1)
            }
        }
    }
}

// MARK: - With choices

extension LinkPattern {
    /// Returns where the pattern can end if it starts at one of `starts`, in ascending order.
    ///
    /// All ways are gone at once, so that none is gone twice.
    private func ends(in text: Span<UInt8>, from starts: [Int], _ budget: inout WorkBudget) -> [Int] {
        var positions = starts
        for element in elements {
            guard let first = positions.first, budget.spend(positions.count) else { return [] }
            switch element {
            case .many:
                guard budget.spend(text.count - first) else { return [] }
                positions = Array(first...text.count)
            case .choice(let index):
                positions = ends(of: choices[index], in: text, from: positions, &budget)
            case .literal, .any, .oneOf:
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
        of choice: Choice,
        in text: Span<UInt8>,
        from starts: [Int],
        _ budget: inout WorkBudget
    ) -> [Int] {
        if starts.count == 1, choice.patterns.isEmpty {
            return choice.words.ends(in: text, from: starts[0], &budget)
        }
        // What several ways lead to is one place.
        guard budget.spend(text.count) else { return [] }
        var isEnd = [Bool](repeating: false, count: text.count + 1)
        for start in starts {
            for end in choice.words.ends(in: text, from: start, &budget) { isEnd[end] = true }
        }
        for pattern in choice.patterns {
            for end in pattern.ends(in: text, from: starts, &budget) { isEnd[end] = true }
        }
        return isEnd.indices.filter { isEnd[$0] }
    }
}
