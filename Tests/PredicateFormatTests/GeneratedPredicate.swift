import WaypostTestSupport

/// A random predicate of the language that this version reads, with its own idea of what it means.
indirect enum GeneratedPredicate {
    case constant(Bool)
    case equals(String)
    case beginsWith(String)
    case not(GeneratedPredicate)
    case and([GeneratedPredicate])
    case or([GeneratedPredicate])
}

extension GeneratedPredicate {
    /// Texts and values are made of these, so that they meet often; all ASCII, where a prefix is a prefix.
    private static let letters: [String] = ["a", "b", "/", "\"", "'", "\\", " ", "\n"]

    static func text(using generator: inout SeededGenerator) -> String {
        let length = Int.random(in: 0...3, using: &generator)
        return (0..<length).map { _ in letters.randomElement(using: &generator) ?? "" }.joined()
    }

    static func random(depth: Int, using generator: inout SeededGenerator) -> GeneratedPredicate {
        switch Int.random(in: 0..<(depth > 0 ? 7 : 4), using: &generator) {
        case 0: .constant(Bool.random(using: &generator))
        case 1, 2: .equals(text(using: &generator))
        case 3: .beginsWith(text(using: &generator))
        case 4: .not(random(depth: depth - 1, using: &generator))
        case 5: .and(operands(depth: depth - 1, using: &generator))
        default: .or(operands(depth: depth - 1, using: &generator))
        }
    }

    private static func operands(depth: Int, using generator: inout SeededGenerator) -> [GeneratedPredicate] {
        (0..<Int.random(in: 2...4, using: &generator)).map { _ in random(depth: depth, using: &generator) }
    }
}

extension GeneratedPredicate {
    func holds(for value: String) -> Bool {
        switch self {
        case .constant(let result): result
        case .equals(let text): Array(value.utf8) == Array(text.utf8)
        case .beginsWith(let text): !text.isEmpty && Array(value.utf8).starts(with: Array(text.utf8))
        case .not(let operand): !operand.holds(for: value)
        case .and(let operands): !operands.contains { !$0.holds(for: value) }
        case .or(let operands): operands.contains { $0.holds(for: value) }
        }
    }

    /// A format that spells the predicate, with random case, quotation marks, white space and needless parentheses.
    func format(using generator: inout SeededGenerator) -> String {
        let space = [" ", "  ", "\t", "\n"].randomElement(using: &generator) ?? " "
        switch self {
        case .constant(let value):
            return Self.cased(value ? "TRUEPREDICATE" : "FALSEPREDICATE", using: &generator)
        case .equals(let text):
            return Self.cased("SELF", using: &generator) + space + "==" + Self.quoted(text, using: &generator)
        case .beginsWith(let text):
            return Self.cased("SELF BEGINSWITH", using: &generator) + space + Self.quoted(text, using: &generator)
        case .not(let operand):
            return Self.cased("NOT", using: &generator) + space + operand.operand(using: &generator)
        case .and(let operands):
            return Self.joined(operands, by: "AND", space, using: &generator)
        case .or(let operands):
            return Self.joined(operands, by: "OR", space, using: &generator)
        }
    }

    private func operand(using generator: inout SeededGenerator) -> String {
        let text = format(using: &generator)
        switch self {
        case .constant, .equals, .beginsWith: return Bool.random(using: &generator) ? text : "(\(text))"
        case .not, .and, .or: return "(\(text))"
        }
    }

    private static func joined(
        _ operands: [GeneratedPredicate],
        by keyword: String,
        _ space: String,
        using generator: inout SeededGenerator
    ) -> String {
        var texts: [String] = []
        for operand in operands { texts.append(operand.operand(using: &generator)) }
        return texts.joined(separator: space + cased(keyword, using: &generator) + space)
    }

    private static func cased(_ keyword: String, using generator: inout SeededGenerator) -> String {
        Bool.random(using: &generator) ? keyword : keyword.lowercased()
    }

    private static func quoted(_ text: String, using generator: inout SeededGenerator) -> String {
        let quote: Character = Bool.random(using: &generator) ? "'" : "\""
        let escaped = text.map { $0 == quote || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
        return "\(quote)\(escaped)\(quote)"
    }
}
