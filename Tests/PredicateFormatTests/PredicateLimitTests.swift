import PredicateFormat
import Testing
import WaypostSchema

/// The limits on the depth and the length of a predicate (targeting.md 1.2, row 11).
@Suite struct PredicateLimitTests {
    struct Nesting: CustomTestStringConvertible {
        var testDescription: String

        /// Returns a format with the given number of nesting levels.
        var format: @Sendable (Int) -> String
    }

    /// The maximum number of nesting levels.
    private static let deepest = 256

    private static let nestings = [
        Nesting(testDescription: "parentheses around a comparison") { nested("(", "SELF == 'a'", ")", $0) },
        Nesting(testDescription: "parentheses around a constant") { nested("(", "TRUEPREDICATE", ")", $0) },
        Nesting(testDescription: "parentheses around a chain") { nested("(", "SELF == 'a' OR SELF == 'b'", ")", $0) },
        Nesting(testDescription: "parentheses around a left operand") { nested("(", "SELF", ")", $0) + " == 'a'" },
        Nesting(testDescription: "parentheses around a right operand") { "SELF == " + nested("(", "'a'", ")", $0) },
        Nesting(testDescription: "negations") { nested("NOT ", "SELF == 'a'", "", $0) },
        Nesting(testDescription: "negations as symbols") { nested("!", "SELF == 'a'", "", $0) },
        Nesting(testDescription: "negations in parentheses") {
            nested("NOT (", "TRUEPREDICATE AND SELF == 'a'", ")", $0 - 1)
        },
        Nesting(testDescription: "aggregates") { "'a' IN " + nested("{", "'a'", "}", $0) },
        Nesting(testDescription: "alternating AND and OR") { levels in
            (1..<levels).reduce("SELF == 'a' OR SELF == 'b'") {
                "SELF == 'c' \($1.isMultiple(of: 2) ? "OR" : "AND") (\($0))"
            }
        },
        Nesting(testDescription: "AND in OR by precedence") { levels in
            let core = levels.isMultiple(of: 2) ? "NOT NOT SELF == 'a'" : "NOT SELF == 'a'"
            return nested("SELF == 'b' OR SELF == 'c' AND (", core, ")", (levels - 1) / 2)
        },
    ]

    @Test(arguments: nestings)
    func deepestNestingIsParsedAndPrinted(_ nesting: Nesting) throws {
        let predicate = try ContentPredicate(format: nesting.format(Self.deepest))
        #expect(try ContentPredicate(format: predicate.description) == predicate)
        #expect(throws: Never.self) { try predicate.evaluate(with: "a") }
    }

    @Test(arguments: nestings)
    func oneMoreLevelIsRefusedWithASuggestion(_ nesting: Nesting) throws {
        let format = nesting.format(Self.deepest + 1)
        let error = try #require(throws: ContentPredicateError.self) { try ContentPredicate(format: format) }
        #expect(error.code == .syntax)
        #expect(error.message.contains("nesting deeper than 256"))
        #expect(error.message.contains("SELF IN {…}"))
        #expect(0...format.utf8.count ~= error.offset)
    }

    @Test(arguments: ["AND", "OR"], [true, false])
    func chainNestedInAChainOfTheSameOperatorAddsNoLevel(_ joint: String, _ isLeft: Bool) throws {
        let count = 3_000
        let operands = (1..<count).map { "SELF != 'd\($0)'" }
        let format =
            isLeft
            ? String(repeating: "(", count: count - 1) + "SELF != 'd0'" + operands.map { " \(joint) \($0))" }.joined()
            : operands.map { "(\($0) \(joint) " }.joined() + "SELF != 'd0'" + String(repeating: ")", count: count - 1)
        let predicate = try ContentPredicate(format: format)
        #expect(
            predicate.description.hasPrefix(isLeft ? "((((((((" : "SELF != \"d1\" \(joint) (SELF != \"d2\" \(joint) (")
        )
        #expect(try ContentPredicate(format: predicate.description) == predicate)
        #expect(try predicate.evaluate(with: "other"))
        #expect(try predicate.evaluate(with: "d0") == (joint == "OR"))
        #expect(try predicate.evaluate(with: "d2999") == (joint == "OR"))
        #expect(predicate.evaluation(with: "d1500").decidingPredicate.result == (joint == "OR"))
    }

    @Test func unparenthesizedChainIsOneLevel() throws {
        let terms = (0..<3_000).map { "SELF == 'document-\($0)'" }
        let predicate = try ContentPredicate(format: terms.joined(separator: " OR "))
        #expect(try predicate.evaluate(with: "document-2999"))
        #expect(try !predicate.evaluate(with: "document-3000"))
    }

    @Test func longestFormatIsParsedAndOneMoreByteIsRefused() throws {
        let longest = Self.format(bytes: ContentPredicate.maximumLength)
        #expect(throws: Never.self) { try ContentPredicate(format: longest) }
        let error = try #require(throws: ContentPredicateError.self) { try ContentPredicate(format: longest + " ") }
        #expect(error.code == .syntax)
        #expect(error.offset == ContentPredicate.maximumLength)
        #expect(error.message.contains("a format of 100001 bytes; at most 100000 are accepted"))
        #expect(error.message.contains("SELF IN {…}"))
    }

    /// The canonical text may be longer than the format: `'"'` becomes `"\""`, and white space is added.
    @Test(arguments: [
        "SELF == '\(String(repeating: "\"", count: 60_000))'",
        "SELF IN {\(Array(repeating: "'b'", count: 24_000).joined(separator: ","))}",
        "SELF IN {\(Array(repeating: "1e18", count: 15_000).joined(separator: ","))}",
    ])
    func formatWithATooLongCanonicalFormIsRefused(_ format: String) throws {
        let error = try #require(throws: ContentPredicateError.self) { try ContentPredicate(format: format) }
        #expect(error.code == .syntax)
        // The canonical form has no offset in the format.
        #expect(error.offset == 0)
        #expect(error.message.contains("found a canonical form of"))
        #expect(error.message.contains("SELF IN {…}"))
    }

    @Test(arguments: [40_000, 49_990])
    func canonicalTextOfALongLiteralIsParsed(_ length: Int) throws {
        let predicate = try ContentPredicate(format: "SELF == '\(String(repeating: "\"", count: length))'")
        #expect(try ContentPredicate(format: predicate.description) == predicate)
    }

    private static func format(bytes: Int) -> String {
        "SELF == '\(String(repeating: "a", count: bytes - 10))'"
    }

    private static func nested(_ opening: String, _ core: String, _ closing: String, _ levels: Int) -> String {
        String(repeating: opening, count: levels) + core + String(repeating: closing, count: levels)
    }
}
