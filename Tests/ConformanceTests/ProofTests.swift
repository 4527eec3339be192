import Testing

/// Sentences and tests belong together: neither is there without the other.
@Suite struct ProofTests {
    private let conformance: Conformance

    init() throws {
        conformance = try Conformance.project.get()
    }

    @Test func everySentenceHasATest() {
        let numbers = conformance.unproved.joined(separator: ", ")
        #expect(numbers.isEmpty, "no test has .proves for these")
    }

    @Test func everyTestProvesASentenceThatIsThere() {
        #expect(conformance.strangers.isEmpty, "there is no such sentence in Tests/Vectors/conformance.jsonl")
    }
}
