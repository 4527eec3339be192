import Testing

/// Every sentence has a test, and every proof names a known sentence.
@Suite struct ProofTests {
    private let conformance: Conformance

    init() throws {
        conformance = try Conformance.project.get()
    }

    @Test func everySentenceHasATest() {
        let numbers = conformance.unproved.joined(separator: ", ")
        #expect(numbers.isEmpty, "no test has .proves for these")
    }

    @Test func everyTestProvesAKnownSentence() {
        #expect(conformance.strangers.isEmpty, "there is no such sentence in Tests/Vectors/conformance.jsonl")
    }
}
