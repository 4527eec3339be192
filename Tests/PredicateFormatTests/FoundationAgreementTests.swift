import Foundation
import PredicateFormat
import Testing
import WaypostTestSupport

/// Every operator on strings, compared with Foundation.
///
/// Each operator has a separate path for ASCII.
@Suite struct FoundationAgreementTests {
    private static let seeds = Trials.seeds(4, from: 1)

    /// Without U+0000, because Foundation on Linux also finds it after the end of a value.
    private static let ascii =
        (1..<128).map { String(UnicodeScalar($0)) } + ["\r\n", "\r\n", "\n", "\r", "_", "[", "^", "{", "~", "`", "@"]

    /// A small alphabet, so that texts often match.
    private static let fewASCII = ["\r", "\n", "\r\n", "a", "b", "A", "B", "_", "[", "^", "{", "~", "@", "`", "Z", "z"]

    private static let beyondASCII = [
        "a", "A", "e", "E", "K", "s", "\n", "\r\n", "\u{301}", "\u{323}", "\u{E9}", "\u{C9}", "\u{200D}", "\u{1F44D}",
        "\u{1F3FD}", "\u{1100}", "\u{1161}", "\u{AC00}", "\u{DF}", "\u{212A}", "\u{FF21}", "\u{130}", "\u{131}",
        "\u{3C2}",
        "\u{FB01}", "\u{200B}",
    ]

    @Test(arguments: seeds)
    func operatorsAgreeOnASCII(seed: UInt64) throws {
        try expectAgreement(seed: seed, alphabet: Self.ascii)
        try expectAgreement(seed: seed, alphabet: Self.fewASCII)
    }

    @Test(arguments: seeds)
    func operatorsAgreeOnNonASCII(seed: UInt64) throws {
        try expectAgreement(seed: seed, alphabet: Self.beyondASCII)
    }

    @Test(arguments: seeds)
    func betweenAgreesWithBoundsInEitherOrder(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for round in 0..<400 {
            let alphabet = round.isMultiple(of: 2) ? Self.fewASCII : Self.beyondASCII
            let (value, lower) = pair(from: alphabet, using: &generator)
            let upper = scalars(from: alphabet, using: &generator)
            let predicate = try ContentPredicate(format: "SELF BETWEEN {%@, %@}", lower, upper)
            let orders = [lower, upper].compactMap { Self.order(of: value, $0)?.rawValue }
            // Foundation orders some pairs of non-ASCII strings differently if they are exchanged.
            guard orders.count == 2 else { continue }
            let isBetween = orders[0] >= 0 && orders[1] <= 0 || orders[1] >= 0 && orders[0] <= 0
            let comment: Comment = "seed \(seed): \(predicate) on \(value.debugDescription)"
            #expect(try predicate.evaluate(with: value) == isBetween, comment)
        }
    }

    /// Foundation orders each of these strings after the other, so `>` holds in both directions.
    @Test func orderIsThatOfTheLeftOperand() throws {
        let (text, other) = ("e\u{E9}", "\u{E9}a")
        try #require(NSString(string: text).compare(other) == .orderedDescending)
        try #require(NSString(string: other).compare(text) == .orderedDescending)
        for (value, bound) in [(text, other), (other, text)] {
            #expect(try ContentPredicate(format: "SELF > %@", bound).evaluate(with: value))
            #expect(try ContentPredicate(format: "SELF >= %@", bound).evaluate(with: value))
            #expect(try !ContentPredicate(format: "SELF < %@", bound).evaluate(with: value))
            #expect(try !ContentPredicate(format: "SELF <= %@", bound).evaluate(with: value))
        }
    }

    private func expectAgreement(seed: UInt64, alphabet: [String]) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let (value, text) = pair(from: alphabet, using: &generator)
            for oracle in StringOracle.allCases {
                let options = ContentPredicate.Options(rawValue: UInt8.random(in: 0..<8, using: &generator))
                let expected = oracle.holds(NSString(string: value), text, options)
                let format = "SELF \(oracle.rawValue)\(Self.brackets(options)) %@"
                let predicate = try ContentPredicate(format: format, text)
                let comment: Comment =
                    "seed \(seed): \(predicate.description.debugDescription) on \(value.debugDescription)"
                #expect(try predicate.evaluate(with: value) == expected, comment)
                // With the constant on the left, the value is the text that the operator searches for.
                let turned = try ContentPredicate(format: "%@ \(oracle.rawValue)\(Self.brackets(options)) SELF", value)
                #expect(try turned.evaluate(with: text) == expected, comment)
            }
        }
    }

    /// Returns the order of two strings, or `nil` if it depends on which of them is the receiver.
    private static func order(of left: String, _ right: String) -> ComparisonResult? {
        let order = NSString(string: left).compare(right)
        return NSString(string: right).compare(left).rawValue == -order.rawValue ? order : nil
    }

    private static func brackets(_ options: ContentPredicate.Options) -> String {
        let letters = [("c", .caseInsensitive), ("d", .diacriticInsensitive), ("n", .normalized)]
            .filter { (_, option: ContentPredicate.Options) in options.contains(option) }
            .map { $0.0 }
        return letters.isEmpty ? "" : "[\(letters.joined())]"
    }

    /// Returns a value and a text.
    ///
    /// About half of the time, the text is a part of the value, in the same case or the other one.
    private func pair(from alphabet: [String], using generator: inout SeededGenerator) -> (String, String) {
        let value = scalars(from: alphabet, using: &generator)
        guard Bool.random(using: &generator) else { return (value, scalars(from: alphabet, using: &generator)) }
        let count = value.unicodeScalars.count
        let start = Bool.random(using: &generator) ? 0 : Int.random(in: 0...count, using: &generator)
        let end = Bool.random(using: &generator) ? count : Int.random(in: start...count, using: &generator)
        let part = String(String.UnicodeScalarView(value.unicodeScalars.dropFirst(start).prefix(end - start)))
        return (value, Bool.random(using: &generator) ? part : Self.inOtherCase(part))
    }

    private static func inOtherCase(_ text: String) -> String {
        text.map { $0.isASCII ? ($0.isUppercase ? $0.lowercased() : $0.uppercased()) : String($0) }.joined()
    }

    private func scalars(from alphabet: [String], using generator: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0...6, using: &generator))
            .map { _ in alphabet.randomElement(using: &generator) ?? "" }
            .joined()
    }
}
