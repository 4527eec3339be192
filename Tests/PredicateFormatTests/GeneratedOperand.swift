import WaypostTestSupport

/// A random operand of a comparison.
indirect enum GeneratedOperand {
    case subject
    case text(String)
    case integer(Int64)

    /// A number with a fraction, or one beyond the range of integers.
    case real(Double)
    case nothing
    case aggregate([GeneratedOperand])
}

extension GeneratedOperand {
    /// The letters of texts and values: few, so that they often match, and all ASCII, so that a character is a byte.
    private static let letters = ["a", "a", "b", "A", "B", "_", "/", "\"", "'", "\\", " ", "\n", "*", "?"]

    /// The texts of lookups: short ones, long ones, and ones with a long common prefix.
    private static let names = [
        "", "a", "A", "crusty", "document-", "document-1", "document-2", "document-12",
        "https://clowntown.example/clowns/1", "https://clowntown.example/clowns/2",
    ]

    static let integers: [Int64] = [0, 1, 2, 5, -1, 27, .max, .min]
    static let reals = [0.5, -2.25, 1e300, 9.2e-5]

    static func text(using generator: inout SeededGenerator) -> String {
        let length = Int.random(in: 0...4, using: &generator)
        return (0..<length).map { _ in letters.randomElement(using: &generator) ?? "" }.joined()
    }

    static func name(using generator: inout SeededGenerator) -> String {
        names.randomElement(using: &generator) ?? ""
    }

    static func randomText(using generator: inout SeededGenerator) -> GeneratedOperand {
        .text(text(using: &generator))
    }

    static func randomName(using generator: inout SeededGenerator) -> GeneratedOperand {
        .text(name(using: &generator))
    }

    static func random(depth: Int, using generator: inout SeededGenerator) -> GeneratedOperand {
        switch Int.random(in: 0..<(depth > 0 ? 12 : 8), using: &generator) {
        case 0, 1: return .subject
        case 2, 3, 4: return randomText(using: &generator)
        case 5: return .integer(integers.randomElement(using: &generator) ?? 0)
        case 6: return .real(reals.randomElement(using: &generator) ?? 0.5)
        case 7: return .nothing
        default:
            let count = Int.random(in: 0...3, using: &generator)
            return .aggregate((0..<count).map { _ in random(depth: depth - 1, using: &generator) })
        }
    }
}
