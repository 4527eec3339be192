import PredicateFormat
import WaypostTestSupport

/// A format in one of the many spellings of a predicate: aliases, case, symbols for keywords, quotation marks, escapes,
/// white space and redundant parentheses.
struct PredicateSpelling {
    private(set) var format = ""

    /// The offset of the operator of each comparison, in UTF-8 bytes.
    private(set) var operatorOffsets: [Int] = []

    private var generator: SeededGenerator

    /// Writes a spelling of `predicate`; `seed` determines which one.
    init(_ predicate: GeneratedPredicate, seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        write(predicate)
        if chance(of: 8) { format += " \n" }
    }
}

extension PredicateSpelling {
    private mutating func chance(of count: Int) -> Bool {
        Int.random(in: 0..<count, using: &generator) == 0
    }

    private mutating func pick<Element>(_ choices: [Element]) -> Element {
        choices[Int.random(in: 0..<choices.count, using: &generator)]
    }

    /// Writes a token, in random case if `isWord`, after white space if it would otherwise join the previous token.
    private mutating func write(token: String, isWord: Bool = false) {
        let isJoined =
            format.last.map(\.isWordCharacter) ?? false
            && token.first.map(\.isWordCharacter) ?? false
        let spaces = [" ", " ", "  ", "\t", "\n", "\r\n", "\u{B}", "\u{C}"]
        format += pick(isJoined ? spaces : spaces + Array(repeating: "", count: 12))
        format += isWord ? String(token.map { chance(of: 3) ? Character($0.lowercased()) : $0 }) : token
    }

    private mutating func write(word: String) {
        write(token: word, isWord: true)
    }

    private mutating func writeInParentheses(_ body: (inout Self) -> Void) {
        write(token: "(")
        body(&self)
        write(token: ")")
    }
}

extension PredicateSpelling {
    private mutating func write(_ predicate: GeneratedPredicate) {
        switch predicate {
        case .constant(let value): write(word: value ? "TRUEPREDICATE" : "FALSEPREDICATE")
        case .comparison(let comparison): write(comparison)
        case .not(let operand):
            if chance(of: 2) { write(word: "NOT") } else { write(token: "!") }
            write(operand, needsParentheses: operand.isChain)
        case .and(let operands): write(operands, ["AND", "&&"]) { $0.isChain }
        case .or(let operands): write(operands, ["OR", "||"]) { $0.isDisjunction }
        }
    }

    private mutating func write(
        _ operands: [GeneratedPredicate],
        _ joints: [String],
        needsParentheses: (GeneratedPredicate) -> Bool
    ) {
        for (index, operand) in operands.enumerated() {
            if index > 0 { write(word: pick(joints)) }
            write(operand, needsParentheses: needsParentheses(operand))
        }
    }

    private mutating func write(_ predicate: GeneratedPredicate, needsParentheses: Bool) {
        if needsParentheses || chance(of: 4) {
            writeInParentheses { $0.write(predicate, needsParentheses: false) }
        } else {
            write(predicate)
        }
    }

    private mutating func write(_ comparison: GeneratedComparison) {
        write(comparison.left)
        let spelling = pick(comparison.operation.spellings)
        write(word: spelling)
        operatorOffsets.append(format.utf8.count - spelling.utf8.count)
        if !comparison.options.isEmpty { write(comparison.options) }
        write(comparison.right)
    }

    private mutating func write(_ options: ContentPredicate.Options) {
        var letters = ""
        if options.contains(.caseInsensitive) { letters += "c" }
        if options.contains(.diacriticInsensitive) { letters += "d" }
        if options.contains(.normalized) { letters += "n" }
        if chance(of: 4) { letters += letters }
        let spelled = letters.shuffled(using: &generator).map { chance(of: 3) ? $0.uppercased() : String($0) }
        write(token: "[")
        write(token: spelled.joined())
        write(token: "]")
    }
}

extension PredicateSpelling {
    private mutating func write(_ operand: GeneratedOperand) {
        if chance(of: 6) { return writeInParentheses { $0.write(operand) } }
        switch operand {
        case .subject: write(word: "SELF")
        case .text(let text): write(text: text)
        case .integer(let value): write(integer: value)
        case .real(let value): write(real: value)
        case .nothing: write(word: pick(["NIL", "NULL"]))
        case .aggregate(let elements):
            write(token: "{")
            for (index, element) in elements.enumerated() {
                if index > 0 { write(token: ",") }
                write(element)
            }
            write(token: "}")
        }
    }

    private mutating func write(integer value: Int64) {
        if value == 0 || value == 1, chance(of: 2) {
            return write(word: pick(value == 1 ? ["TRUE", "YES"] : ["FALSE", "NO"]))
        }
        if value < 0 { write(token: "-") }
        let magnitude = value.magnitude
        // Beyond the range of signed integers, only hexadecimal digits are certain to be exact.
        var spellings = ["0x" + String(magnitude, radix: 16), "0X" + String(magnitude, radix: 16, uppercase: true)]
        spellings += ["0o" + String(magnitude, radix: 8), "0B" + String(magnitude, radix: 2), magnitude.description]
        if magnitude < 1_000 {
            spellings += ["00\(magnitude)", "\(magnitude).0", "\(magnitude)0e-1", "\(magnitude)E+0"]
        }
        write(token: pick(spellings))
    }

    private mutating func write(real value: Double) {
        if value < 0 { write(token: "-") }
        let text = value.magnitude.description
        write(token: pick([text, text.uppercased(), "0\(text)"]))
    }

    private mutating func write(text: String) {
        let quote = pick(["'", "\""])
        let spelled = text.map { character -> String in
            if chance(of: 6) { return escape(of: character) }
            return String(character) == quote || character == "\\" ? "\\\(character)" : String(character)
        }
        write(token: quote + spelled.joined() + quote)
    }

    private mutating func escape(of character: Character) -> String {
        let code = Int(character.asciiValue ?? 0)
        let octal = String(String(0o1000 + code, radix: 8).suffix(3))
        let hexadecimal = String(String(0x10000 + code, radix: 16).suffix(4))
        return "\\" + pick([octal, "x" + hexadecimal.suffix(2), "X" + hexadecimal.suffix(2), "u" + hexadecimal])
    }
}

extension GeneratedPredicate {
    fileprivate var isChain: Bool {
        switch self {
        case .and, .or: true
        case .constant, .comparison, .not: false
        }
    }

    fileprivate var isDisjunction: Bool {
        if case .or = self { true } else { false }
    }
}

extension GeneratedComparison.Operation {
    fileprivate var spellings: [String] {
        switch self {
        case .equals: ["==", "="]
        case .notEquals: ["!=", "<>"]
        case .lessThanOrEqual: ["<=", "=<"]
        case .greaterThanOrEqual: [">=", "=>"]
        default: [rawValue]
        }
    }
}

extension Character {
    fileprivate var isWordCharacter: Bool {
        isLetter || isNumber || self == "_"
    }
}
