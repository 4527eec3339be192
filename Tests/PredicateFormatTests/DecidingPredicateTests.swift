import PredicateFormat
import Testing
import WaypostSchema
import WaypostTestSupport

/// The part of a predicate that decided the result.
@Suite struct DecidingPredicateTests {
    struct Case: CustomTestStringConvertible {
        var format: String
        var value: String
        var result: Bool
        var deciding: String

        /// The result of the deciding part, or `nil` if it is the result of the whole predicate.
        var decidingResult: Bool?
        var testDescription: String { "\(format) on \(value)" }
    }

    private static let either = "SELF == 'a' OR SELF BEGINSWITH 'b'"
    private static let both = "SELF BEGINSWITH 'a' AND SELF ENDSWITH 'b'"

    @Test(arguments: [
        Case(format: "TRUEPREDICATE", value: "a", result: true, deciding: "TRUEPREDICATE"),
        Case(format: "SELF == 'a'", value: "a", result: true, deciding: "SELF == \"a\""),
        Case(format: "SELF == 'a'", value: "b", result: false, deciding: "SELF == \"a\""),
        Case(format: either, value: "a", result: true, deciding: "SELF == \"a\""),
        Case(format: either, value: "bc", result: true, deciding: "SELF BEGINSWITH \"b\""),
        Case(format: either, value: "c", result: false, deciding: "SELF == \"a\" OR SELF BEGINSWITH \"b\""),
        Case(format: both, value: "ab", result: true, deciding: "SELF BEGINSWITH \"a\" AND SELF ENDSWITH \"b\""),
        Case(format: both, value: "b", result: false, deciding: "SELF BEGINSWITH \"a\""),
        Case(format: both, value: "a", result: false, deciding: "SELF ENDSWITH \"b\""),
        Case(format: "SELF != 'a'", value: "a", result: false, deciding: "SELF != \"a\""),
        Case(
            format: "SELF BETWEEN {'a', 'c'} OR SELF IN {'x', 'y'}",
            value: "y",
            result: true,
            deciding: "SELF IN {\"x\", \"y\"}"
        ),
    ])
    func operandThatTheResultDependsOnDecides(_ example: Case) throws {
        try expectDeciding(example)
    }

    @Test(arguments: [
        Case(format: "NOT SELF == 'a'", value: "a", result: false, deciding: "SELF == \"a\"", decidingResult: true),
        Case(format: "NOT NOT SELF == 'a'", value: "a", result: true, deciding: "SELF == \"a\""),
        Case(format: "NOT (\(either))", value: "a", result: false, deciding: "SELF == \"a\"", decidingResult: true),
        Case(
            format: "NOT (\(either))",
            value: "c",
            result: true,
            deciding: "SELF == \"a\" OR SELF BEGINSWITH \"b\"",
            decidingResult: false
        ),
        Case(
            format: "NOT (\(both))",
            value: "ab",
            result: false,
            deciding: "SELF BEGINSWITH \"a\" AND SELF ENDSWITH \"b\"",
            decidingResult: true
        ),
    ])
    func operandOfANegationDecides(_ example: Case) throws {
        try expectDeciding(example)
    }

    @Test(arguments: [
        Case(
            format: "(\(both)) OR SELF == 'c'",
            value: "ab",
            result: true,
            deciding: "SELF BEGINSWITH \"a\" AND SELF ENDSWITH \"b\""
        ),
        Case(format: "(\(either)) AND SELF == 'c'", value: "a", result: false, deciding: "SELF == \"c\""),
        Case(
            format: "(\(either)) AND TRUEPREDICATE",
            value: "c",
            result: false,
            deciding: "SELF == \"a\" OR SELF BEGINSWITH \"b\""
        ),
        Case(
            format: "(TRUEPREDICATE AND (NOT SELF == 'a')) OR FALSEPREDICATE",
            value: "a",
            result: false,
            deciding: "(TRUEPREDICATE AND (NOT SELF == \"a\")) OR FALSEPREDICATE"
        ),
    ])
    func compoundDecidesIfNoOperandDoesAlone(_ example: Case) throws {
        try expectDeciding(example)
    }

    @Test func invalidComparisonDecidesAndTheResultIsFalse() throws {
        let evaluation = try ContentPredicate(format: "SELF == 'a' OR NOT SELF < 5").evaluation(with: "b")
        let error = try #require(evaluation.error)
        #expect(error.code == .evaluation)
        #expect(error.offset == 24)
        #expect(!evaluation.result)
        let expected = DecidingPredicate(predicate: "SELF < 5", result: false, because: error.message)
        #expect(evaluation.decidingPredicate == expected)
    }

    @Test func evaluationNamesItsPredicateAndValue() throws {
        let predicate = try ContentPredicate(format: "SELF == 'a'")
        let evaluation = predicate.evaluation(with: "b")
        #expect(evaluation.predicate == predicate)
        #expect(evaluation.value == "b")
        #expect(evaluation.error == nil)
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func decidingPartAgreesWithTheRecursiveOracle(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<150 {
            let meaning = GeneratedPredicate.random(depth: 4, using: &generator)
            let predicate = try ContentPredicate(format: meaning.canonicalText)
            for _ in 0..<4 {
                let value = GeneratedOperand.text(using: &generator)
                guard case .answer(_, let deciding, let result) = meaning.outcome(for: value) else { continue }
                let decision = predicate.evaluation(with: value).decidingPredicate
                let comment: Comment = "seed \(seed): \(predicate) on \(value.debugDescription)"
                #expect(decision.predicate == deciding, comment)
                #expect(decision.result == result, comment)
                #expect(!decision.because.isEmpty, comment)
            }
        }
    }

    private func expectDeciding(_ example: Case) throws {
        let evaluation = try ContentPredicate(format: example.format).evaluation(with: example.value)
        #expect(evaluation.result == example.result)
        #expect(evaluation.decidingPredicate.predicate == example.deciding)
        #expect(evaluation.decidingPredicate.result == example.decidingResult ?? example.result)
    }
}
