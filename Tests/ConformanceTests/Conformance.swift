/// The sentences of the talks, with the tests that prove them.
struct Conformance: Sendable {
    var sentences: [Sentence]
    var proofs: [Proof]

    /// The data of the project, read once.
    static let project = Result { try Conformance(sentences: Sentence.all(), proofs: Proof.all()) }

    /// Returns the proofs of the sentence `number`.
    func proofs(of number: String) -> [Proof] {
        proofs.filter { $0.number == number }
    }

    /// The sentences that no test proves.
    var unproved: [String] {
        sentences.filter { proofs(of: $0.number).isEmpty }.map(\.number)
    }

    /// The tests that prove an unknown sentence, each with the number.
    var strangers: [String] {
        let known = Set(sentences.map(\.number))
        return proofs.filter { !known.contains($0.number) }.map { "\($0.test) (\($0.path)): \($0.number)" }
    }
}
