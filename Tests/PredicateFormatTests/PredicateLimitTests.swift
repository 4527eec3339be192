import PredicateFormat
import Testing
import WaypostSchema

/// Formats that come from outside end in an error, never in a crash (targeting.md 1.2, row 11).
@Suite struct PredicateLimitTests {
    struct Case: CustomTestStringConvertible {
        var testDescription: String
        var format: String
    }

    /// How deep a predicate may be nested.
    private static let deepest = 256

    @Test(arguments: [
        Case(testDescription: "parentheses", format: nested("(", in: 10_000)),
        Case(testDescription: "negations", format: nested("NOT ", in: 10_000)),
        Case(testDescription: "negated parentheses", format: nested("NOT (", in: 10_000)),
        Case(testDescription: "openings alone", format: String(repeating: "(", count: 10_000)),
        Case(testDescription: "negations alone", format: String(repeating: "NOT ", count: 10_000)),
    ])
    func tenThousandLevelsAreRefused(_ example: Case) throws {
        let fault = try #require(throws: PredicateFault.self) { try ContentPredicate(format: example.format) }
        #expect(fault.code == .syntax)
        #expect(fault.message.contains("nested deeper than 256"))
    }

    @Test func deepestNestingIsReadAndOneMoreIsRefused() throws {
        #expect(throws: Never.self) { try ContentPredicate(format: Self.nested("(", in: Self.deepest)) }
        let fault = try #require(throws: PredicateFault.self) {
            try ContentPredicate(format: Self.nested("(", in: Self.deepest + 1))
        }
        #expect(fault.code == .syntax)
        #expect(fault.offset == Self.deepest + 1)
        #expect(fault.message.contains("nested deeper than 256"))
    }

    /// Canonical text may be nested deeper than the format was: `a OR b AND c` is `a OR (b AND c)`.
    @Test(arguments: ["NOT ", "NOT (", "TRUEPREDICATE OR FALSEPREDICATE AND (", "NOT (TRUEPREDICATE OR "])
    func canonicalTextOfWhatIsReadIsReadableHoweverDeep(_ opening: String) {
        let read = [64, 100, 128, 200, 255].compactMap { levels in
            try? ContentPredicate(format: Self.nested(opening, in: levels))
        }
        #expect(!read.isEmpty)
        for predicate in read {
            #expect(throws: Never.self) { try ContentPredicate(format: predicate.description) }
        }
    }

    /// Canonical text may be longer than the format was: `'"'` is `"\""`.
    @Test(arguments: [40_000, 60_000, ContentPredicate.maximumLength - 10])
    func canonicalTextOfWhatIsReadIsReadableHoweverLong(_ length: Int) throws {
        let format = "SELF == '\(String(repeating: "\"", count: length))'"
        guard let predicate = try? ContentPredicate(format: format) else { return }
        #expect(throws: Never.self) { try ContentPredicate(format: predicate.description) }
    }

    @Test func chainOfAnyLengthIsOneLevel() throws {
        let terms = (0..<3_000).map { "SELF == 'document-\($0)'" }
        let predicate = try ContentPredicate(format: terms.joined(separator: " OR "))
        #expect(predicate.evaluate(with: "document-2999"))
        #expect(!predicate.evaluate(with: "document-3000"))
    }

    @Test func longestFormatIsReadAndOneMoreByteIsRefused() throws {
        let longest = Self.format(bytes: ContentPredicate.maximumLength)
        #expect(throws: Never.self) { try ContentPredicate(format: longest) }
        let fault = try #require(throws: PredicateFault.self) { try ContentPredicate(format: longest + " ") }
        #expect(fault.code == .syntax)
        #expect(fault.offset == ContentPredicate.maximumLength)
        #expect(fault.message.contains("100001 bytes"))
    }

    @Test func literalOfAMegabyteIsRefused() throws {
        let format = Self.format(bytes: 1_000_000)
        let fault = try #require(throws: PredicateFault.self) { try ContentPredicate(format: format) }
        #expect(fault.code == .syntax)
        #expect(fault.message.contains("1000000 bytes"))
    }

    private static func format(bytes: Int) -> String {
        "SELF == '\(String(repeating: "a", count: bytes - 10))'"
    }

    private static func nested(_ opening: String, in levels: Int) -> String {
        let closings = opening.filter { $0 == "(" }.count * levels
        return String(repeating: opening, count: levels) + "TRUEPREDICATE" + String(repeating: ")", count: closings)
    }
}
