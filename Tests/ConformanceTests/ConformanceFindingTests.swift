import Testing

/// Sentences and tests that do not match are found.
@Suite struct ConformanceFindingTests {
    private static let sentences = ["B1", "B2"].map { number in
        Sentence(
            number: number,
            talk: .sharedWithYou,
            section: "Purpose",
            sentence: "\(number).",
            rule: "docs/targeting.md"
        )
    }

    private static func proof(of number: String) -> Proof {
        Proof(number: number, test: "Suite/test", path: "Suite.swift")
    }

    @Test func sentenceWithoutATestIsFound() {
        let conformance = Conformance(sentences: Self.sentences, proofs: [Self.proof(of: "B1")])
        #expect(conformance.unproved == ["B2"])
        #expect(conformance.strangers.isEmpty)
    }

    @Test func testOfAnUnknownSentenceIsFound() {
        let proofs = [Self.proof(of: "B2"), Self.proof(of: "B3")]
        let conformance = Conformance(sentences: Self.sentences, proofs: proofs)
        #expect(conformance.strangers == ["Suite/test (Suite.swift): B3"])
    }
}
