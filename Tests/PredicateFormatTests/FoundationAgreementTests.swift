import Foundation
import PredicateFormat
import Testing
import WaypostTestSupport

/// BEGINSWITH, which has a way of its own for ASCII, against Foundation's anchored range search.
@Suite struct FoundationAgreementTests {
    /// Without U+0000, which Foundation on Linux also finds where a value has ended.
    private static let ascii = ["\r", "\n", "\r\n", " ", "\t", "\u{7F}", "a", "b", "e", "A"]
    private static let marks = [
        "\u{301}", "\u{323}", "\u{E9}", "\u{200D}", "\u{1F44D}", "\u{1F3FD}", "\u{1100}", "\u{1161}",
    ]

    @Test(arguments: [1, 2, 3] as [UInt64])
    func beginsWithAgreesOnASCII(seed: UInt64) throws {
        try expectAgreement(seed: seed, alphabet: Self.ascii)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func beginsWithAgreesBeyondASCII(seed: UInt64) throws {
        try expectAgreement(seed: seed, alphabet: Self.ascii + Self.marks)
    }

    private func expectAgreement(seed: UInt64, alphabet: [String]) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            let (value, text) = pair(from: alphabet, using: &generator)
            let predicate = try ContentPredicate(format: "SELF BEGINSWITH \"\(text)\"")
            let range = NSString(string: value).range(of: text, options: .anchored)
            let comment: Comment = "seed \(seed): \(value.debugDescription) BEGINSWITH \(text.debugDescription)"
            #expect(predicate.evaluate(with: value) == (range.location != NSNotFound), comment)
        }
    }

    /// A value, and a text that is its beginning as often as not.
    private func pair(from alphabet: [String], using generator: inout SeededGenerator) -> (String, String) {
        let value = scalars(from: alphabet, using: &generator)
        guard Bool.random(using: &generator) else { return (value, scalars(from: alphabet, using: &generator)) }
        let count = Int.random(in: 0...value.unicodeScalars.count, using: &generator)
        return (value, String(String.UnicodeScalarView(value.unicodeScalars.prefix(count))))
    }

    private func scalars(from alphabet: [String], using generator: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0...5, using: &generator))
            .map { _ in alphabet.randomElement(using: &generator) ?? "" }
            .joined()
    }
}
