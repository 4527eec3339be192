import Testing

/// What does not belong together is found.
@Suite struct ConformanceFindingTests {
    private static let waiting = Sentence(
        number: "B1",
        talk: .sharedWithYou,
        section: "Purpose",
        sentence: "A.",
        waitsFor: .agent
    )
    private static let ruled = Sentence(
        number: "B2",
        talk: .sharedWithYou,
        section: "Purpose",
        sentence: "B.",
        rule: "docs/targeting.md"
    )

    private static func proof(of number: String) -> Proof {
        Proof(number: number, test: "Suite/test", path: "Suite.swift")
    }

    @Test func sentenceWithoutATestIsFoundUnlessItWaits() {
        let conformance = Conformance(sentences: [Self.waiting, Self.ruled], proofs: [])
        #expect(conformance.unproved == ["B2"])
        #expect(conformance.provedTooEarly.isEmpty && conformance.strangers.isEmpty)
    }

    @Test func testOfASentenceThatWaitsIsFound() {
        let proofs = [Self.proof(of: "B1"), Self.proof(of: "B2")]
        let conformance = Conformance(sentences: [Self.waiting, Self.ruled], proofs: proofs)
        #expect(conformance.provedTooEarly == ["B1"])
        #expect(conformance.unproved.isEmpty && conformance.strangers.isEmpty)
    }

    @Test func testWithoutASentenceIsFound() {
        let proofs = [Self.proof(of: "B2"), Self.proof(of: "B3")]
        let conformance = Conformance(sentences: [Self.ruled], proofs: proofs)
        #expect(conformance.strangers == ["Suite/test (Suite.swift): B3"])
    }
}
