package import Testing

/// The sentences of the talks that a test or a suite proves, by their numbers in `docs/conformance.md`.
package struct TalkSentences: TestTrait, SuiteTrait {
    /// The numbers, such as `B47` or `T19`.
    package let numbers: [String]
}

extension Trait where Self == TalkSentences {
    /// Marks a test or a suite as the proof of sentences of the talks.
    package static func proves(_ numbers: String...) -> Self {
        TalkSentences(numbers: numbers)
    }
}
