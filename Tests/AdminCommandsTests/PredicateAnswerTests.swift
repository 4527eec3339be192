import Testing
import WaypostSchema

@testable import AdminCommands

@Suite struct PredicateAnswerTests {
    private static func answer(
        _ format: String,
        _ value: String,
        includesDecidingPart: Bool = true
    ) -> PredicateAnswer {
        PredicateEvalCommand.answer(
            to: PredicateQuery(format: format, value: value),
            includesDecidingPart: includesDecidingPart
        )
    }

    @Test func answerHasTheResultAndTheCanonicalForm() {
        let answer = Self.answer("self == 'x'", "x", includesDecidingPart: false)
        #expect(answer == PredicateAnswer(result: true, canonical: #"SELF == "x""#))
    }

    @Test func refusedPredicateIsAnErrorWithAnOffset() throws {
        let answer = Self.answer("SELF MATCHES 'x'", "x")
        let error = try #require(answer.error)
        #expect(error.code == .forbidden)
        #expect(error.offset == 5)
        #expect(answer.result == nil)
    }

    @Test func answerHasTheDecidingPartIfRequested() {
        let answer = Self.answer("SELF == 'x' OR SELF BEGINSWITH 'y'", "yes")
        let expected = DecidingPredicate(
            predicate: #"SELF BEGINSWITH "y""#,
            result: true,
            because: "SELF begins with it"
        )
        #expect(answer.deciding == expected)
    }

    @Test func failedEvaluationIsAnError() {
        let answer = Self.answer("SELF < 5", "x")
        #expect(answer.error?.code == .evaluation)
        #expect(answer.error?.offset == 5)
        #expect(answer.result == nil && answer.canonical == nil && answer.deciding == nil)
    }
}
