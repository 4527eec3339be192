import WaypostTestSupport

/// A random predicate of the whole language that computes its own meaning and canonical text.
indirect enum GeneratedPredicate {
    case constant(Bool)
    case comparison(GeneratedComparison)
    case not(GeneratedPredicate)
    case and([GeneratedPredicate])
    case or([GeneratedPredicate])
}

extension GeneratedPredicate {
    /// Returns a random predicate whose comparisons use every operator and every kind of operand.
    static func random(depth: Int, using generator: inout SeededGenerator) -> GeneratedPredicate {
        random(depth: depth, using: &generator) { .random(using: &$0) }
    }

    /// Returns a random predicate that mostly compares `SELF` with a few texts.
    static func randomAlternatives(depth: Int, using generator: inout SeededGenerator) -> GeneratedPredicate {
        random(depth: depth, using: &generator) { .randomAlternative(using: &$0) }
    }

    private static func random(
        depth: Int,
        using generator: inout SeededGenerator,
        comparison: (inout SeededGenerator) -> GeneratedComparison
    ) -> GeneratedPredicate {
        func operands() -> [GeneratedPredicate] {
            var operands: [GeneratedPredicate] = []
            for _ in 0..<Int.random(in: 2...5, using: &generator) {
                operands.append(random(depth: depth - 1, using: &generator, comparison: comparison))
            }
            return operands
        }
        return switch Int.random(in: 0..<(depth > 0 ? 14 : 8), using: &generator) {
        case 0: .constant(Bool.random(using: &generator))
        case 1..<8: .comparison(comparison(&generator))
        case 8, 9: .not(random(depth: depth - 1, using: &generator, comparison: comparison))
        case 10, 11: .and(operands())
        default: .or(operands())
        }
    }

    /// The number of comparisons in the predicate.
    var comparisonCount: Int {
        switch self {
        case .constant: 0
        case .comparison: 1
        case .not(let operand): operand.comparisonCount
        case .and(let operands), .or(let operands): operands.reduce(0) { $0 + $1.comparisonCount }
        }
    }
}
