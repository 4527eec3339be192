import Foundation
import UniversalLinks
import WaypostSchema
import WaypostTestSupport

extension FuzzTarget {
    /// A byte that chooses the comparison and the part of the URL, pieces of a pattern, the byte 0xFF, and pieces of a
    /// text.
    static let patterns = FuzzTarget(
        name: "patterns",
        summary: "patterns of association files; the oracle that tries every possibility finds the same"
    ) { bytes in
        guard let choice = bytes.first else { return }
        let parts = bytes.dropFirst().split(separator: 0xFF, maxSplits: 1, omittingEmptySubsequences: false)
        PatternQuestion(choice, pattern: Array(parts[0]), text: parts.count > 1 ? Array(parts[1]) : []).check()
    }
}

/// A pattern and a text, made of pieces as `PatternAgreementTests` makes them.
private struct PatternQuestion {
    private static let variables = [
        "plain": ["a", "ab", "b", ""], "wild": ["a*", "?b", "é"], "any": ["*"], "none": [],
        "nested": ["$(plain)", "B"], "digit": ["a/b", "0"],
    ]

    /// The variables in JSON.
    private static let definitions: String = {
        guard let json = try? JSONEncoder().encode(variables) else {
            endUnprepared("strings cannot be written as JSON")
        }
        return String(decoding: json, as: UTF8.self)
    }()

    private static let patternPieces = [
        "a", "b", "A", "B", "/", "*", "?", "0", "$(plain)", "$(wild)", "$(any)", "$(nested)", "$(digit)", "$(alpha)",
        "$(upper)", "$(xdigit)", "$(none)", "$(nowhere)", "$(a", ")", "$", "%C3",
    ]

    private static let textPieces = ["a", "b", "A", "B", "/", "0", "$", ")", "*"]

    /// The pieces if escapes are decoded.
    private static let piecesBeyondASCII = ["é", "É", "漢", "\u{1F921}"]

    private let caseSensitive: Bool
    private let percentEncoded: Bool
    private let key: String
    private let pattern: String
    private let text: String

    /// Creates a question; the oracle is slow, so pattern and text are short.
    init(_ choice: UInt8, pattern: [UInt8], text: [UInt8]) {
        caseSensitive = choice & 1 == 0
        percentEncoded = choice & 2 == 0
        key = ["/", "?", "#"][Int(choice >> 2) % 3]
        let further = percentEncoded ? [] : Self.piecesBeyondASCII
        self.pattern = Self.joined(pattern.prefix(7), of: Self.patternPieces + further)
        self.text = Self.joined(text.prefix(7), of: Self.textPieces + further)
    }

    private static func joined(_ numbers: ArraySlice<UInt8>, of pieces: [String]) -> String {
        numbers.map { pieces[Int($0) % pieces.count] }.joined()
    }

    /// The rule with the pattern.
    private var rule: LinkRule {
        var rule = LinkRule()
        switch key {
        case "/": rule.path = pattern
        case "?": rule.query = .whole(pattern)
        default: rule.fragment = pattern
        }
        rule.caseSensitive = caseSensitive
        rule.percentEncoded = percentEncoded
        return rule
    }

    /// Ends the program if the oracle disagrees.
    func check() {
        let rule = rule
        let entry = #"{"appIDs":["ABCDE12345.a"],"components":[\#(rule)]}"#
        let json = #"{"applinks":{"substitutionVariables":\#(Self.definitions),"details":[\#(entry)]}}"#
        guard let file = try? AssociationFile(Array(json.utf8)) else {
            return promise(false, "a rule can be written and read", found: json)
        }
        let rules = file.entries.first?.value.rules.map(\.value)
        promise(rules == [rule], "a rule is the same when it is read", found: json)
        let oracle = PatternOracle(variables: Self.variables, ignoresCase: !caseSensitive)
        let isExpected = key == "/" ? oracle.matchesPath(pattern, "/" + text) : oracle.matches(pattern, text)
        let url = "https://clowntown.example" + (key == "/" ? "/" : "/x" + key) + text
        let decision = AssociationMatcher(file).decision(on: url, for: "ABCDE12345.a", tracing: true)
        promise((decision.outcome == .match) == isExpected, "the oracle agrees", found: (json, url, decision))
    }
}
