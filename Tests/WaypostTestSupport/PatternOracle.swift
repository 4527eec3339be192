/// The meaning of a pattern, found by trying every possibility: slow, but simple enough to be obviously correct.
package struct PatternOracle {
    private enum Element {
        case letter(Unicode.Scalar)
        case anyCharacter
        case anySequence
        case choice([[Element]])
        case never
    }

    private static let predefined: [String: String] = [
        "alpha": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", "upper": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        "lower": "abcdefghijklmnopqrstuvwxyz", "digit": "0123456789", "xdigit": "0123456789ABCDEFabcdef",
        "alnum": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
    ]

    /// The values of the file's own variables.
    private let variables: [String: [String]]
    private let ignoresCase: Bool

    /// Creates an oracle for a file with variables.
    package init(variables: [String: [String]], ignoresCase: Bool) {
        self.variables = variables
        self.ignoresCase = ignoresCase
    }

    /// Returns whether a pattern matches a whole string.
    package func matches(_ pattern: String, _ text: String) -> Bool {
        Self.matches(elements(of: pattern)[...], Array(folded(text).unicodeScalars)[...])
    }

    /// Returns whether a path pattern matches a path.
    package func matchesPath(_ pattern: String, _ path: String) -> Bool {
        let path = Self.withOneLeadingSlash(path)
        var pattern = Self.withOneLeadingSlash(pattern, unlessItStartsWith: ["*", "?"])
        if matches(pattern, path) { return true }
        // "/a/*" also matches "/a".
        guard pattern.hasSuffix("*") else { return false }
        while pattern.hasSuffix("*") { pattern.removeLast() }
        guard pattern.hasSuffix("/") else { return false }
        pattern.removeLast()
        return matches(pattern, path)
    }

    /// Returns the text with one slash at its start and none at its end.
    private static func withOneLeadingSlash(
        _ text: String,
        unlessItStartsWith wildcards: Set<Character> = []
    ) -> String {
        var trimmed = text
        while trimmed.hasPrefix("/") { trimmed.removeFirst() }
        while trimmed.hasSuffix("/") { trimmed.removeLast() }
        return text.first.map(wildcards.contains) == true ? trimmed : "/" + trimmed
    }

    private static func matches(_ elements: ArraySlice<Element>, _ text: ArraySlice<Unicode.Scalar>) -> Bool {
        guard let element = elements.first else { return text.isEmpty }
        let rest = elements.dropFirst()
        switch element {
        case .letter(let letter): return text.first == letter && matches(rest, text.dropFirst())
        case .anyCharacter: return !text.isEmpty && matches(rest, text.dropFirst())
        case .anySequence: return matches(rest, text) || (!text.isEmpty && matches(elements, text.dropFirst()))
        case .choice(let values): return values.contains { matches(($0 + rest)[...], text) }
        case .never: return false
        }
    }

    private func elements(of pattern: String) -> [Element] {
        var elements: [Element] = []
        var rest = Array(pattern.unicodeScalars)[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "*": elements.append(.anySequence)
            case "?": elements.append(.anyCharacter)
            case "$" where rest.first == "(":
                guard let end = rest.firstIndex(of: ")") else { return [.never] }
                let name = String(String.UnicodeScalarView(rest[(rest.startIndex + 1)..<end]))
                elements.append(variable(name))
                rest = rest[(end + 1)...]
            default: elements += folded(String(scalar)).unicodeScalars.map(Element.letter)
            }
        }
        return elements
    }

    private func variable(_ name: String) -> Element {
        if let values = variables[name] {
            return .choice(values.filter { !$0.contains("$(") }.map { elements(of: $0) })
        }
        guard let characters = Self.predefined[name] else { return .never }
        return .choice(Set(folded(characters).unicodeScalars).map { [.letter($0)] })
    }

    private func folded(_ text: String) -> String {
        ignoresCase ? text.lowercased() : text
    }
}
