import Testing

/// The data: every sentence occurs once, in its place and with its rule.
@Suite struct SentenceTests {
    private let sentences: [Sentence]

    init() throws {
        sentences = try Conformance.project.get().sentences
    }

    /// A sentence that was added later is in the section of its subject, so its number is out of order there.
    @Test(arguments: Talk.allCases)
    func numbersHaveNoGapAndNoDuplicate(_ talk: Talk) {
        let numbers = sentences.filter { $0.talk == talk }.map(\.number)
        #expect(numbers.sorted() == numbers.indices.map { "\(talk.letter)\($0 + 1)" }.sorted())
    }

    @Test func bothTalksAndTheNotificationsAreComplete() {
        #expect(sentences.filter { $0.talk == .sharedWithYou }.count == 103)
        #expect(sentences.filter { $0.talk == .targeting }.count == 66)
        #expect(sentences.filter { $0.talk == .notifications }.count == 51)
    }

    @Test(arguments: Talk.allCases)
    func sentencesOfASectionAreAdjacent(_ talk: Talk) {
        let sections = sentences.filter { $0.talk == talk }.map(\.section)
        let starts = sections.indices.filter { $0 == 0 || sections[$0 - 1] != sections[$0] }
        #expect(starts.count == Set(sections).count)
    }

    @Test func everySentenceIsUnique() {
        #expect(Set(sentences.map(\.sentence)).count == sentences.count)
        for sentence in sentences {
            #expect(sentence.sentence.hasSuffix("."), "\(sentence.number)")
            #expect(!sentence.sentence.contains("\n"), "\(sentence.number)")
        }
    }
}
