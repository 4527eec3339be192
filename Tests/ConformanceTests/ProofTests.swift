import Testing

/// Sentences and tests belong together: neither is there without the other.
@Suite struct ProofTests {
    private let conformance: Conformance

    init() throws {
        conformance = try Conformance.project.get()
    }

    @Test func everySentenceThatWaitsForNothingHasATest() {
        let numbers = conformance.unproved.joined(separator: ", ")
        #expect(numbers.isEmpty, "no test has .proves for these, and they wait for nothing")
    }

    @Test func noSentenceWaitsThatHasATest() {
        let numbers = conformance.provedTooEarly.joined(separator: ", ")
        #expect(numbers.isEmpty, "tests prove these; their lines need a rule in place of waitsFor")
    }

    @Test func everyTestProvesASentenceThatIsThere() {
        #expect(conformance.strangers.isEmpty, "there is no such sentence in Tests/Vectors/conformance.jsonl")
    }
}
