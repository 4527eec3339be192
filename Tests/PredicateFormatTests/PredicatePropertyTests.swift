import Testing
import WaypostSchema
import WaypostTestSupport

@testable import PredicateFormat

/// Random predicates in random spellings, compared with their meaning.
@Suite struct PredicatePropertyTests {
    private static let seeds = Trials.seeds(4, from: 1)
    private static let rounds = 150

    /// A predicate, a spelling of it, and the predicate parsed from that spelling.
    private struct Example {
        var meaning: GeneratedPredicate
        var spelling: PredicateSpelling
        var predicate: ContentPredicate

        init(using generator: inout SeededGenerator) throws {
            meaning = .random(depth: 3, using: &generator)
            spelling = PredicateSpelling(meaning, seed: generator.next())
            predicate = try ContentPredicate(format: spelling.format)
        }
    }

    @Test(arguments: seeds)
    func canonicalTextAgreesWithTheOracle(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<Self.rounds {
            let example = try Example(using: &generator)
            #expect(
                example.predicate.description == example.meaning.canonicalText,
                "seed \(seed): \(example.spelling.format)"
            )
        }
    }

    @Test(arguments: seeds)
    func predicateSurvivesPrintingAndParsing(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<Self.rounds {
            let example = try Example(using: &generator)
            let again = try ContentPredicate(format: example.predicate.description)
            let comment: Comment = "seed \(seed): \(example.spelling.format)"
            #expect(again == example.predicate, comment)
            #expect(again.tree == example.predicate.tree, comment)
            #expect(again.hashValue == example.predicate.hashValue, comment)
            #expect(again.description == example.predicate.description, comment)
        }
    }

    @Test(arguments: seeds)
    func resultAgreesWithTheOracle(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<Self.rounds {
            let example = try Example(using: &generator)
            for _ in 0..<6 {
                let value = GeneratedOperand.text(using: &generator)
                let comment: Comment = "seed \(seed): \(example.spelling.format) on \(value.debugDescription)"
                expectMeaning(of: example, on: value, comment)
            }
        }
    }

    @Test(arguments: seeds)
    func negationHasTheOppositeResultOrTheSameError(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<Self.rounds {
            let example = try Example(using: &generator)
            let opposite = try ContentPredicate(format: "NOT (\(example.spelling.format))")
            let value = GeneratedOperand.text(using: &generator)
            let (evaluation, negated) = (example.predicate.evaluation(with: value), opposite.evaluation(with: value))
            let comment: Comment = "seed \(seed): \(example.spelling.format) on \(value.debugDescription)"
            #expect(evaluation.error?.message == negated.error?.message, comment)
            #expect(evaluation.error != nil || evaluation.result != negated.result, comment)
        }
    }

    /// Pieces of formats in random order are either parsed, or refused with an offset in the format.
    @Test(arguments: seeds)
    func anyFormatIsParsedOrRefusedWithAnOffset(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<Self.rounds * 5 {
            let format = debris(using: &generator)
            do throws(ContentPredicateError) {
                let predicate = try ContentPredicate(format: format)
                let again = try ContentPredicate(format: predicate.description)
                #expect(again == predicate, "seed \(seed): \(format)")
            } catch {
                #expect(0...format.utf8.count ~= error.offset, "seed \(seed): \(format)")
                #expect(error.code != .evaluation, "seed \(seed): \(format)")
                #expect(!error.message.isEmpty, "seed \(seed): \(format)")
            }
        }
    }

    private func expectMeaning(of example: Example, on value: String, _ comment: Comment) {
        let evaluation = example.predicate.evaluation(with: value)
        switch example.meaning.outcome(for: value) {
        case .answer(let result, _, _):
            #expect(evaluation.error == nil, comment)
            #expect(evaluation.result == result, comment)
            #expect((try? example.predicate.evaluate(with: value)) == result, comment)
        case .error(let number):
            #expect(evaluation.error?.code == .evaluation, comment)
            #expect(evaluation.error?.offset == example.spelling.operatorOffsets[number], comment)
            #expect(!evaluation.result, comment)
            let error = #expect(throws: ContentPredicateError.self) { try example.predicate.evaluate(with: value) }
            #expect(error == evaluation.error, comment)
        }
    }

    private func debris(using generator: inout SeededGenerator) -> String {
        let pieces = [
            "SELF", "SELF", "==", "BEGINSWITH", "'a'", "\"b\"", "AND", "OR", "NOT", "(", ")", "TRUEPREDICATE", "LIKE",
            "MATCHES", "[c]", "[", "]", "$x", ".length", "5", "-", "'", "\\", "\u{E9}", "\u{0}", "{", "}", ",", "%@",
            "#", "&&", "IN", "BETWEEN", ":=", "f(", "@", "ANY", "nil", "+", "0x", "1e", "BLOCKPREDICATE(1)",
        ]
        let count = Int.random(in: 0...10, using: &generator)
        return (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined(separator: " ")
    }
}
