import Testing
import WaypostSchema

@testable import AdminCommands

@Suite struct PredicateAnswerTests {
    @Test func answerHasTheResultAndTheCanonicalForm() {
        let answer = PredicateEvalCommand.answer(PredicateQuery(format: "self == 'x'", value: "x"), deciding: false)
        #expect(answer == PredicateAnswer(result: true, canonical: #"SELF == "x""#))
    }

    @Test func refusedPredicateIsAnErrorWithAnOffset() throws {
        let answer = PredicateEvalCommand.answer(PredicateQuery(format: "SELF MATCHES 'x'", value: "x"), deciding: true)
        let error = try #require(answer.error)
        #expect(error.code == .forbidden)
        #expect(error.offset == 5)
        #expect(answer.result == nil)
    }

    @Test func answerHasTheDecidingPartIfRequested() {
        let query = PredicateQuery(format: "SELF == 'x' OR SELF BEGINSWITH 'y'", value: "yes")
        let answer = PredicateEvalCommand.answer(query, deciding: true)
        let expected = DecidingPredicate(
            predicate: #"SELF BEGINSWITH "y""#,
            result: true,
            because: "SELF begins with it"
        )
        #expect(answer.deciding == expected)
    }

    @Test func failedEvaluationIsAnError() {
        let answer = PredicateEvalCommand.answer(PredicateQuery(format: "SELF < 5", value: "x"), deciding: true)
        #expect(answer.error?.code == .evaluation)
        #expect(answer.error?.offset == 5)
        #expect(answer.result == nil && answer.canonical == nil && answer.deciding == nil)
    }
}
