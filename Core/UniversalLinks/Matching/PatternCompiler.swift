internal import TextBasics

/// Compiles patterns.
struct PatternCompiler {
    private let variables: PatternVariables
    private var alternativesByVariable: [VariableKey: LinkPattern.Alternatives] = [:]

    private struct VariableKey: Hashable {
        var name: String
        var foldsCase: Bool
    }

    init(_ variables: PatternVariables) {
        self.variables = variables
    }

    /// Compiles a pattern.
    ///
    /// - Parameters:
    ///   - pattern: the pattern as written.
    ///   - foldingCase: whether to compile for strings in lower case.
    /// - Returns: the compiled pattern, or `nil` if it has an undefined or unterminated variable, so that it matches
    ///   nothing.
    mutating func compile(_ pattern: String, foldingCase: Bool) -> LinkPattern? {
        compile(PatternPart.parts(of: pattern.utf8), foldingCase: foldingCase)
    }

    /// Compiles a path pattern.
    mutating func compilePath(_ pattern: String, foldingCase: Bool) -> PathPattern? {
        let parts = PathPatternParts(pattern)
        guard let whole = compile(parts.whole, foldingCase: foldingCase) else { return nil }
        return PathPattern(whole: whole, folder: parts.folder.flatMap { compile($0, foldingCase: foldingCase) })
    }

    private mutating func compile(_ parts: [PatternPart], foldingCase: Bool) -> LinkPattern? {
        var pattern = LinkPattern()
        for part in parts {
            switch part {
            case .text(let text): pattern.append(literal: Self.bytes(text, foldingCase: foldingCase))
            case .anyCharacter: pattern.append(.anyCharacter)
            case .anySequence: pattern.append(.anySequence)
            case .unterminated: return nil
            case .variable(let name):
                switch variables[name] {
                case .oneOf(let characters)?:
                    pattern.append(.oneOf(ASCIISet(foldingCase ? characters.map(\.lowercasedASCII) : characters)))
                case .values(let values)?:
                    let key = VariableKey(name: name, foldsCase: foldingCase)
                    pattern.append(alternatives: alternatives(of: values, for: key))
                case nil: return nil
                }
            }
        }
        return pattern
    }

    /// Returns the compiled values of a variable, which all patterns with the variable share.
    private mutating func alternatives(of values: [String], for key: VariableKey) -> LinkPattern.Alternatives {
        if let alternatives = alternativesByVariable[key] { return alternatives }
        var alternatives = LinkPattern.Alternatives()
        for value in values {
            let parts = PatternPart.parts(of: value.utf8)
            let isPlain = parts.allSatisfy { if case .text = $0 { true } else { false } }
            if isPlain {
                alternatives.words.insert(Self.bytes(value, foldingCase: key.foldsCase))
            } else if let pattern = compile(parts, foldingCase: key.foldsCase) {
                alternatives.patterns.append(pattern)
            }
        }
        alternativesByVariable[key] = alternatives
        return alternatives
    }

    private static func bytes(_ text: String, foldingCase: Bool) -> [UInt8] {
        foldingCase ? CaseFolding.folded(text.utf8) : Array(text.utf8)
    }
}
