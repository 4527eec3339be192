import Testing
import WaypostSchema

@testable import AdminCommands

@Suite struct PredicateAnswerTests {
    @Test func anAnswerHasTheResultAndTheCanonicalForm() {
        let answer = PredicateEvalCommand.answer(PredicateQuery(format: "self == 'x'", value: "x"))
        #expect(answer == PredicateAnswer(result: true, canonical: #"SELF == "x""#))
    }

    @Test func anAnswerThatCannotBeGivenHasTheErrorAndItsPlace() throws {
        let answer = PredicateEvalCommand.answer(PredicateQuery(format: "SELF MATCHES 'x'", value: "x"))
        let fault = try #require(answer.error)
        #expect(fault.code == .forbidden)
        #expect(fault.offset == 5)
        #expect(answer.result == nil)
    }
}
