import Foundation
import Testing
import UniversalLinks
import WaypostSchema
import WaypostTestSupport

/// Random patterns on random texts: the matcher and the oracle agree.
@Suite struct PatternAgreementTests {
    /// Whether the comparison is case-sensitive, and whether it keeps percent escapes.
    struct Comparison: CustomTestStringConvertible {
        var caseSensitive: Bool
        var percentEncoded: Bool
        var testDescription: String { "caseSensitive \(caseSensitive), percentEncoded \(percentEncoded)" }

        static let all = [true, false].flatMap { caseSensitive in
            [true, false].map { Comparison(caseSensitive: caseSensitive, percentEncoded: $0) }
        }
    }

    private static let variables = [
        "plain": ["a", "ab", "b", ""], "wild": ["a*", "?b", "é"], "any": ["*"], "none": [],
        "nested": ["$(plain)", "B"],
        "digit": ["a/b", "0"],
    ]
    private static let patternsPerComparison = 300
    private static let textsPerPattern = 12

    private static func random(
        _ pieces: [String],
        atMost count: Int,
        using generator: inout SeededGenerator
    ) -> String {
        (0..<Int.random(in: 0...count, using: &generator))
            .map { _ in pieces.randomElement(using: &generator) ?? "" }
            .joined()
    }

    /// Returns the members of `applinks` that define the variables.
    private static func definitions() throws -> String {
        let data = try JSONEncoder().encode(variables)
        return "\"substitutionVariables\":" + String(decoding: data, as: UTF8.self) + ","
    }

    private static func pattern(_ comparison: Comparison, using generator: inout SeededGenerator) -> String {
        let pieces = [
            "a", "a", "b", "A", "B", "/", "/", "*", "*", "?", "?", "0", "$(plain)", "$(wild)", "$(any)", "$(nested)",
            "$(digit)", "$(alpha)", "$(upper)", "$(xdigit)", "$(none)", "$(nowhere)", "$(a", ")", "$", "%C3",
        ]
        let beyondASCII = comparison.percentEncoded ? [] : ["é", "É", "漢", "\u{1F921}"]
        return random(pieces + beyondASCII, atMost: 5, using: &generator)
    }

    private static func text(_ comparison: Comparison, using generator: inout SeededGenerator) -> String {
        let pieces = ["a", "a", "a", "b", "b", "A", "B", "/", "/", "0", "$", ")", "*"]
        let beyondASCII = comparison.percentEncoded ? [] : ["é", "É", "漢", "\u{1F921}"]
        return random(pieces + beyondASCII, atMost: 6, using: &generator)
    }

    private static func rule(_ key: String, _ pattern: String, _ comparison: Comparison) -> LinkRule {
        var rule = LinkRule()
        switch key {
        case "/": rule.path = pattern
        case "?": rule.query = .whole(pattern)
        default: rule.fragment = pattern
        }
        rule.caseSensitive = comparison.caseSensitive
        rule.percentEncoded = comparison.percentEncoded
        return rule
    }

    @Test(arguments: Comparison.all, ["/", "?", "#"])
    func everyPatternAgreesWithTheOracle(_ comparison: Comparison, _ key: String) throws {
        var generator = SeededGenerator(seed: 7)
        let oracle = PatternOracle(variables: Self.variables, ignoresCase: !comparison.caseSensitive)
        let definitions = try Self.definitions()
        var matchCount = 0
        for _ in 0..<Self.patternsPerComparison {
            let pattern = Self.pattern(comparison, using: &generator)
            let rule = Self.rule(key, pattern, comparison)
            let matcher = try Clowntown.matcher(rule.description, otherMembers: definitions)
            for _ in 0..<Self.textsPerPattern {
                let text = Self.text(comparison, using: &generator)
                let expected = key == "/" ? oracle.matchesPath(pattern, "/" + text) : oracle.matches(pattern, text)
                let outcome = matcher.outcome((key == "/" ? "" : "/x") + key + text)
                #expect((outcome == .match) == expected, "\(rule) on \(key)\(text)")
                matchCount += expected ? 1 : 0
            }
        }
        #expect(matchCount > Self.patternsPerComparison / 2)
    }

    /// A rule looks up names in the query split at "&" and "=", before it decodes escapes.
    @Test(arguments: Comparison.all)
    func everyQueryItemAgreesWithTheOracle(_ comparison: Comparison) throws {
        var generator = SeededGenerator(seed: 8)
        let oracle = PatternOracle(variables: Self.variables, ignoresCase: !comparison.caseSensitive)
        let definitions = try Self.definitions()
        for _ in 0..<Self.patternsPerComparison {
            let asked = ["a", "A", "b"].shuffled(using: &generator).prefix(2).map { name in
                LinkRule.Item(name: name, pattern: Self.pattern(comparison, using: &generator))
            }
            var rule = Self.rule("#", "*", comparison)
            rule.query = .items(asked)
            let matcher = try Clowntown.matcher(rule.description, otherMembers: definitions)
            for _ in 0..<Self.textsPerPattern {
                let query = Self.random(
                    ["a", "A", "b", "a=", "b=", "=", "&", "&", "&a=", "&b=", "0"],
                    atMost: 6,
                    using: &generator
                )
                let expected = asked.allSatisfy { item in
                    let values = Self.values(of: item.name, in: query, comparison)
                    return (values.isEmpty ? [""] : values).allSatisfy { oracle.matches(item.pattern, $0) }
                }
                #expect((matcher.outcome("/?" + query) == .match) == expected, "\(rule) on ?\(query)")
            }
        }
    }

    private static func values(of name: String, in query: String, _ comparison: Comparison) -> [String] {
        query.components(separatedBy: "&").compactMap { item -> String? in
            guard !item.isEmpty else { return nil }
            let parts = item.components(separatedBy: "=")
            let isSame =
                comparison.caseSensitive ? parts[0] == name : parts[0].lowercased() == name.lowercased()
            return isSame ? parts.dropFirst().joined(separator: "=") : nil
        }
    }
}
