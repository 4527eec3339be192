import PredicateFormat
import Testing
import WaypostSchema
import WaypostTestSupport

/// `SELF` compared with several texts: the evaluation looks them up in one step, with the same result.
@Suite struct AlternativesTests {
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func lookupAgreesWithComparingOneByOne(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<150 {
            let meaning = GeneratedPredicate.randomAlternatives(depth: 3, using: &generator)
            let predicate = try ContentPredicate(format: meaning.canonicalText)
            for _ in 0..<6 {
                let value = GeneratedOperand.name(using: &generator)
                let evaluation = predicate.evaluation(with: value)
                let comment: Comment = "seed \(seed): \(predicate) on \(value.debugDescription)"
                guard case .answer(let result, let deciding, _) = meaning.outcome(for: value) else {
                    #expect(evaluation.error != nil, comment)
                    continue
                }
                #expect(evaluation.error == nil, comment)
                #expect(evaluation.result == result, comment)
                #expect(evaluation.decidingPredicate.predicate == deciding, comment)
            }
        }
    }

    @Test(arguments: [2, 3, 4, 5, 63, 64, 65, 3_000])
    func onlyTheAlternativesThemselvesAreFound(count: Int) throws {
        let texts = (0..<count).map { "document-\($0)" }
        for predicate in [.any(of: texts.map { .equals($0) }), .in(texts)] as [ContentPredicate] {
            for text in texts where try !predicate.evaluate(with: text) { Issue.record("\(text) is not found") }
            for other in ["", "document-", "document-\(count)", "Document-0", "document-0 "] {
                #expect(try !predicate.evaluate(with: other))
            }
        }
    }

    /// The first of several equal alternatives decides.
    @Test func firstOfEqualAlternativesDecides() throws {
        let predicate = try ContentPredicate(format: "'a' == SELF OR SELF == 'b' OR SELF == 'a' OR SELF IN {'a', 'b'}")
        #expect(predicate.evaluation(with: "a").decidingPredicate.predicate == "\"a\" == SELF")
        #expect(predicate.evaluation(with: "b").decidingPredicate.predicate == "SELF == \"b\"")
        #expect(try !predicate.evaluate(with: "c"))
    }

    @Test(arguments: [
        ("NOT (SELF == 'a' OR SELF == 'b')", ["c", "ab"]),
        ("SELF BEGINSWITH 'a' AND (SELF == 'a' OR SELF == 'b' OR SELF == 'ab')", ["a", "ab"]),
        ("(SELF == 'a' OR SELF == 'b') AND (SELF == 'b' OR SELF == 'c')", ["b"]),
        ("SELF == 'a' OR (SELF == 'b' AND FALSEPREDICATE) OR SELF == 'c'", ["a", "c"]),
        ("SELF == 'a' OR (NOT SELF == 'b') OR SELF == 'c'", ["a", "c", "ab"]),
        ("SELF != 'a' OR SELF == 'a'", ["a", "b", "c", "ab"]),
        ("SELF == 'a' AND SELF == 'b'", []),
        ("SELF IN {} OR SELF == 'a' OR SELF == 'b'", ["a", "b"]),
    ])
    func alternativesKeepTheirPlaceInThePredicate(_ format: String, _ described: [String]) throws {
        let predicate = try ContentPredicate(format: format)
        #expect(try ["a", "b", "c", "ab"].filter(predicate.evaluate).sorted() == described.sorted())
    }

    @Test func canonicalEquivalentsAreDifferentAlternatives() throws {
        let predicate = try ContentPredicate(format: "SELF == 'caf\u{E9}' OR SELF == 'x'")
        #expect(try predicate.evaluate(with: "caf\u{E9}"))
        #expect(try !predicate.evaluate(with: "cafe\u{301}"))
    }
}
