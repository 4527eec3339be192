import PredicateFormat
import Testing
import WaypostSchema
import WaypostTestSupport

/// `LIKE`, compared with an oracle that tabulates which prefixes of a pattern match which prefixes of a text.
@Suite struct LikeAgreementTests {
    private static let seeds = Trials.seeds(4, from: 1)

    @Test(arguments: seeds)
    func shortPatternsAgree(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<600 {
            let pattern = text(from: ["a", "a", "b", "A", "*", "*", "?", "\\"], 0...7, using: &generator)
            let value = text(from: ["a", "a", "b", "A", "*", "\\"], 0...9, using: &generator)
            try expectAgreement(of: pattern, on: value, seed: seed)
        }
    }

    @Test(arguments: seeds)
    func nonASCIIPatternsAgree(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let letters = ["a", "\u{E9}", "e\u{301}", "\u{1F3AA}", "\r\n"]
            let pattern = text(from: letters + ["*", "*", "?", "?"], 0...7, using: &generator)
            try expectAgreement(of: pattern, on: text(from: letters, 0...7, using: &generator), seed: seed, [])
        }
    }

    /// Pieces between two `*` that are longer than one and than two 64-bit words, with and without `?`.
    @Test(arguments: seeds)
    func longPiecesAgree(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for length in [1, 62, 63, 64, 65, 66, 127, 128, 129, 200] {
            for wildcards in [0, 1, 5] {
                let piece = text(from: ["a", "b"], length...length, using: &generator)
                var masked = Array(piece)
                for _ in 0..<wildcards { masked[Int.random(in: 0..<length, using: &generator)] = "?" }
                let before = text(from: ["a", "b"], 0...70, using: &generator)
                let after = text(from: ["a", "b"], 0...20, using: &generator)
                let pattern = "*\(String(masked))*"
                try expectAgreement(of: pattern, on: before + piece + after, seed: seed)
                try expectAgreement(of: pattern, on: before + piece.dropLast() + after, seed: seed)
                try expectAgreement(of: pattern + "b*", on: before + piece + after, seed: seed)
            }
        }
    }

    /// Patterns for which other matchers need time that doubles with every wildcard, or grows with the product of the
    /// lengths.
    @Test(
        .proves("T52"),
        arguments: [
            ("*a*a*a*a*b", false), ("*a*a*a*a*b*", false),
            ("*" + String(repeating: "a", count: 50_000) + "b", false),
            ("*" + String(repeating: "a", count: 50_000) + "b*", false),
            ("*" + String(repeating: "a", count: 50_000) + "*", true),
            ("*" + String(repeating: "a?", count: 2_000) + "b", false),
            ("*" + String(repeating: "a?", count: 100) + "b*", false),
        ]
    )
    func backtrackingPatternsEndOnAMegabyte(_ pattern: String, _ isMatch: Bool) throws {
        let value = String(repeating: "a", count: 1_000_000)
        #expect(try ContentPredicate.like(pattern).evaluate(with: value) == isMatch)
    }

    /// For each character, a piece with wildcards takes one step per 64-bit word of the piece.
    @Test(arguments: [
        (String(repeating: "*a", count: 1_000) + "*b*", false),
        (String(repeating: "?*", count: 1_000), true),
        ("*" + String(repeating: "a?", count: 2_000) + "b*", false),
    ])
    func patternsWithManyWildcardsEnd(_ pattern: String, _ isMatch: Bool) throws {
        let value = String(repeating: "a", count: 20_000)
        #expect(try ContentPredicate.like(pattern).evaluate(with: value) == isMatch)
    }

    private func expectAgreement(
        of pattern: String,
        on value: String,
        seed: UInt64,
        _ options: [ContentPredicate.Options] = [.caseInsensitive]
    ) throws {
        let oracle = WildcardOracle(pattern)
        for options in [[]] + options {
            let predicate = ContentPredicate.like(pattern, options)
            let comment: Comment = "seed \(seed): \(predicate) on \(value)"
            let expected = oracle?.matches(value, foldingCase: options == .caseInsensitive)
            #expect((try? predicate.evaluate(with: value)) == expected, comment)
            let described = try ContentPredicate(format: "%@ LIKE\(options.isEmpty ? "" : "[c]") SELF", value)
            #expect((try? described.evaluate(with: pattern)) == expected, comment)
        }
    }

    private func text(
        from letters: [String],
        _ length: ClosedRange<Int>,
        using generator: inout SeededGenerator
    ) -> String {
        (0..<Int.random(in: length, using: &generator))
            .map { _ in letters.randomElement(using: &generator) ?? "" }
            .joined()
    }
}
