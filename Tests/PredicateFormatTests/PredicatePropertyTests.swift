import PredicateFormat
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite struct PredicatePropertyTests {
    private static let seeds: [UInt64] = [1, 2, 3, 4]
    private static let rounds = 250

    @Test(arguments: seeds)
    func readingTheCanonicalTextGivesAnEqualPredicate(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<Self.rounds {
            let (_, format) = example(using: &generator)
            let predicate = try ContentPredicate(format: format)
            let again = try ContentPredicate(format: predicate.description)
            #expect(again == predicate, "seed \(seed): \(format)")
            #expect(again.description == predicate.description, "seed \(seed): \(format)")
        }
    }

    @Test(arguments: seeds)
    func predicateHoldsWhereItsMeaningDoes(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<Self.rounds {
            let (meaning, format) = example(using: &generator)
            let predicate = try ContentPredicate(format: format)
            for value in values(using: &generator) {
                let comment: Comment = "seed \(seed): \(format) on \(value.debugDescription)"
                #expect(predicate.evaluate(with: value) == meaning.holds(for: value), comment)
            }
        }
    }

    @Test(arguments: seeds)
    func negationIsTheOpposite(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<Self.rounds {
            let (_, format) = example(using: &generator)
            let predicate = try ContentPredicate(format: format)
            let opposite = try ContentPredicate(format: "NOT (\(format))")
            for value in values(using: &generator) {
                let comment: Comment = "seed \(seed): \(format) on \(value.debugDescription)"
                #expect(opposite.evaluate(with: value) != predicate.evaluate(with: value), comment)
            }
        }
    }

    /// Pieces of formats in any order: whatever they spell, it is read or refused at a place in the format.
    @Test(arguments: seeds)
    func anyFormatIsReadOrRefusedAtAPlaceInIt(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<Self.rounds * 4 {
            let format = debris(using: &generator)
            do throws(PredicateFault) {
                let predicate = try ContentPredicate(format: format)
                let again = try ContentPredicate(format: predicate.description)
                #expect(again == predicate, "seed \(seed): \(format)")
            } catch {
                #expect(0...format.utf8.count ~= error.offset, "seed \(seed): \(format)")
                #expect(!error.message.isEmpty, "seed \(seed): \(format)")
            }
        }
    }

    private func example(using generator: inout SeededGenerator) -> (GeneratedPredicate, String) {
        let predicate = GeneratedPredicate.random(depth: 3, using: &generator)
        return (predicate, predicate.format(using: &generator))
    }

    private func values(using generator: inout SeededGenerator) -> [String] {
        (0..<8).map { _ in GeneratedPredicate.text(using: &generator) }
    }

    private func debris(using generator: inout SeededGenerator) -> String {
        let pieces = [
            "SELF", "==", "BEGINSWITH", "'a'", "\"b\"", "AND", "OR", "NOT", "(", ")", "TRUEPREDICATE", "FALSEPREDICATE",
            "LIKE", "MATCHES", "[c]", "$x", ".length", "5", "'", "\\", "\u{E9}", "\u{0}", "{", "%@", "#", "&&",
        ]
        let count = Int.random(in: 0...8, using: &generator)
        return (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined(separator: " ")
    }
}
