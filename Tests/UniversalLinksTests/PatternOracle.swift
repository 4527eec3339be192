/// The meaning of a pattern, found by trying every possibility: slow, but simple enough to be obviously correct.
struct PatternOracle {
    private enum Piece {
        case letter(Unicode.Scalar)
        case one
        case many
        case choice([[Piece]])
        case never
    }

    private static let predefined: [String: String] = [
        "alpha": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", "upper": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        "lower": "abcdefghijklmnopqrstuvwxyz", "digit": "0123456789", "xdigit": "0123456789ABCDEFabcdef",
        "alnum": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
    ]

    /// The values of the file's own variables.
    let variables: [String: [String]]
    let ignoresCase: Bool

    /// Returns whether a pattern matches the whole of a text.
    func covers(_ pattern: String, _ text: String) -> Bool {
        Self.covers(pieces(of: pattern)[...], Array(folded(text).unicodeScalars)[...])
    }

    /// Returns whether a path pattern matches a path.
    func coversPath(_ pattern: String, _ path: String) -> Bool {
        let path = Self.oneLeadingSlash(path)
        var pattern = Self.oneLeadingSlash(pattern, unlessItStartsWith: ["*", "?"])
        if covers(pattern, path) { return true }
        // "/a/*" also matches "/a".
        guard pattern.hasSuffix("*") else { return false }
        while pattern.hasSuffix("*") { pattern.removeLast() }
        guard pattern.hasSuffix("/") else { return false }
        pattern.removeLast()
        return covers(pattern, path)
    }

    /// Returns the text with one slash at its start and none at its end.
    private static func oneLeadingSlash(_ text: String, unlessItStartsWith wildcards: Set<Character> = []) -> String {
        var trimmed = text
        while trimmed.hasPrefix("/") { trimmed.removeFirst() }
        while trimmed.hasSuffix("/") { trimmed.removeLast() }
        return text.first.map(wildcards.contains) == true ? trimmed : "/" + trimmed
    }

    private static func covers(_ pieces: ArraySlice<Piece>, _ text: ArraySlice<Unicode.Scalar>) -> Bool {
        guard let piece = pieces.first else { return text.isEmpty }
        let rest = pieces.dropFirst()
        switch piece {
        case .letter(let letter): return text.first == letter && covers(rest, text.dropFirst())
        case .one: return !text.isEmpty && covers(rest, text.dropFirst())
        case .many: return covers(rest, text) || (!text.isEmpty && covers(pieces, text.dropFirst()))
        case .choice(let values): return values.contains { covers(($0 + rest)[...], text) }
        case .never: return false
        }
    }

    private func pieces(of pattern: String) -> [Piece] {
        var pieces: [Piece] = []
        var rest = Array(pattern.unicodeScalars)[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "*": pieces.append(.many)
            case "?": pieces.append(.one)
            case "$" where rest.first == "(":
                guard let end = rest.firstIndex(of: ")") else { return [.never] }
                let name = String(String.UnicodeScalarView(rest[(rest.startIndex + 1)..<end]))
                pieces.append(variable(name))
                rest = rest[(end + 1)...]
            default: pieces += folded(String(scalar)).unicodeScalars.map(Piece.letter)
            }
        }
        return pieces
    }

    private func variable(_ name: String) -> Piece {
        if let values = variables[name] {
            return .choice(values.filter { !$0.contains("$(") }.map { pieces(of: $0) })
        }
        guard let characters = Self.predefined[name] else { return .never }
        return .choice(Set(folded(characters).unicodeScalars).map { [.letter($0)] })
    }

    private func folded(_ text: String) -> String {
        ignoresCase ? text.lowercased() : text
    }
}
