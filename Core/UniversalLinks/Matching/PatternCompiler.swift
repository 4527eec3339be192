internal import TextBasics

/// Compiles patterns.
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

    /// Compiles a pattern.
    ///
    /// - Parameters:
    ///   - pattern: the pattern as written.
    ///   - isFolded: whether the texts to match are in lower case.
    /// - Returns: the compiled pattern, or `nil` if it has an undefined or unterminated variable, so that it matches
    ///   nothing.
    mutating func compile(_ pattern: String, isFolded: Bool) -> LinkPattern? {
        compile(PatternPart.parts(of: pattern.utf8), isFolded: isFolded)
    }

    /// Compiles a path pattern.
    mutating func compilePath(_ pattern: String, isFolded: Bool) -> PathPattern? {
        let parts = PathPatternParts(pattern)
        guard let whole = compile(parts.whole, isFolded: isFolded) else { return nil }
        return PathPattern(whole: whole, folder: parts.folder.flatMap { compile($0, isFolded: isFolded) })
    }

    private mutating func compile(_ parts: [PatternPart], isFolded: Bool) -> LinkPattern? {
        var pattern = LinkPattern()
        for part in parts {
            switch part {
            case .text(let text): pattern.append(literal: Self.bytes(text, isFolded))
            case .any: pattern.append(.any)
            case .many: pattern.append(.many)
            case .unterminated: return nil
            case .variable(let name):
                switch variables[name] {
                case .oneOf(let characters)?:
                    pattern.append(.oneOf(ASCIISet(isFolded ? characters.map(\.lowercasedASCII) : characters)))
                case .values(let values)?:
                    pattern.append(choice: choice(of: values, as: Key(name: name, isFolded: isFolded)))
                case nil: return nil
                }
            }
        }
        return pattern
    }

    /// Returns the compiled values of a variable, which all patterns with the variable share.
    private mutating func choice(of values: [String], as key: Key) -> LinkPattern.Choice {
        if let choice = choices[key] { return choice }
        var choice = LinkPattern.Choice()
        for value in values {
            let parts = PatternPart.parts(of: value.utf8)
            let isPlain = parts.allSatisfy { if case .text = $0 { true } else { false } }
            if isPlain {
                choice.words.insert(Self.bytes(value, key.isFolded))
            } else if let pattern = compile(parts, isFolded: key.isFolded) {
                choice.patterns.append(pattern)
            }
        }
        choices[key] = choice
        return choice
    }

    private static func bytes(_ text: String, _ isFolded: Bool) -> [UInt8] {
        isFolded ? CaseFolding.folded(text.utf8) : Array(text.utf8)
    }
}

/// A compiled path pattern.
struct PathPattern: Sendable {
    let whole: LinkPattern

    /// The pattern without the `/*` at its end.
    let folder: LinkPattern?

    /// Returns whether the pattern matches a path, which starts with one slash and has none at its end.
    func matches(_ path: Span<UInt8>, _ budget: inout WorkBudget) -> Bool {
        whole.matches(path, &budget) || folder?.matches(path, &budget) == true
    }
}
