/// Makes patterns ready to be matched.
struct PatternCompiler {
    private let variables: PatternVariables
    private var choices: [Key: LinkPattern.Choice] = [:]

    private struct Key: Hashable {
        var name: String
        var isFolded: Bool
    }

    init(_ variables: PatternVariables) {
        self.variables = variables
    }

    /// Returns a pattern; `nil` where it has a variable that stands for nothing, so that it matches nothing.
    ///
    /// - Parameters:
    ///   - pattern: the pattern as it is written.
    ///   - isFolded: whether the texts that it is matched with are in lower case.
    mutating func compile(_ pattern: String, isFolded: Bool) -> LinkPattern? {
        compile(PatternPart.parts(of: pattern.utf8), isFolded: isFolded)
    }

    /// Returns a pattern for paths (reference: technote 3155).
    ///
    /// The slash that paths start with may be left out, slashes at the end do not count, and one that ends with `/*` also
    /// matches without: `/buy/*` is about `/buy` too.
    mutating func compilePath(_ pattern: String, isFolded: Bool) -> PathPattern? {
        let (slash, star) = (UInt8(ascii: "/"), UInt8(ascii: "*"))
        let trimmed = Array(pattern.utf8).drop { $0 == slash }.droppingLast { $0 == slash }
        guard let whole = compile(PatternPart.parts(of: trimmed), isFolded: isFolded) else { return nil }
        let folder = trimmed.droppingLast { $0 == star }
        guard folder.count < trimmed.count, folder.last == slash else { return PathPattern(whole: whole, folder: nil) }
        return PathPattern(
            whole: whole,
            folder: compile(PatternPart.parts(of: folder.dropLast()), isFolded: isFolded)
        )
    }

    private mutating func compile(_ parts: [PatternPart], isFolded: Bool) -> LinkPattern? {
        var elements: [LinkPattern.Element] = []
        for part in parts {
            switch part {
            case .text(let text): elements.append(.literal(Self.bytes(text, isFolded)))
            case .any: elements.append(.any)
            case .many:
                // Two in a row are as good as one.
                if case .many? = elements.last { continue }
                elements.append(.many)
            case .variable(let name):
                guard let element = element(for: name, isFolded) else { return nil }
                elements.append(element)
            case .unterminated: return nil
            }
        }
        return LinkPattern(elements)
    }

    private mutating func element(for name: String, _ isFolded: Bool) -> LinkPattern.Element? {
        switch variables[name] {
        case .oneOf(let characters)?:
            return .oneOf(ASCIISet(isFolded ? characters.map(\.lowercasedASCII) : characters))
        case .values(let values)?:
            let key = Key(name: name, isFolded: isFolded)
            let choice = choices[key] ?? choice(of: values, isFolded)
            choices[key] = choice
            return .choice(choice)
        case nil: return nil
        }
    }

    private mutating func choice(of values: [String], _ isFolded: Bool) -> LinkPattern.Choice {
        var choice = LinkPattern.Choice()
        for value in values {
            let parts = PatternPart.parts(of: value.utf8)
            let isPlain = parts.allSatisfy { if case .text = $0 { true } else { false } }
            if isPlain {
                choice.words.insert(Self.bytes(value, isFolded))
            } else if let pattern = compile(parts, isFolded: isFolded) {
                choice.patterns.append(pattern.elements)
            }
        }
        return choice
    }

    private static func bytes(_ text: String, _ isFolded: Bool) -> [UInt8] {
        isFolded ? CaseFolding.folded(text.utf8) : Array(text.utf8)
    }
}

/// A pattern for paths.
struct PathPattern: Sendable {
    /// The pattern, without slashes at its ends.
    let whole: LinkPattern

    /// The pattern without the `/*` that it ends with.
    let folder: LinkPattern?

    /// Whether it covers the path in `range` of `bytes`, which has no slashes at its ends.
    func matches(_ bytes: [UInt8], in range: Range<Int>, _ budget: inout WorkBudget) -> Bool {
        whole.matches(bytes, in: range, &budget) || folder?.matches(bytes, in: range, &budget) == true
    }
}

extension ArraySlice {
    /// Returns the slice without what it ends with as long as that is so.
    fileprivate func droppingLast(while isDropped: (Element) -> Bool) -> ArraySlice {
        self[..<(lastIndex { !isDropped($0) }.map { $0 + 1 } ?? startIndex)]
    }
}
