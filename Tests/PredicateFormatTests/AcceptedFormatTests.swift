import PredicateFormat
import Testing
import WaypostTestSupport

@Suite struct AcceptedFormatTests {
    struct Case: CustomTestStringConvertible {
        var format: String
        var canonical: String
        var value = "a"
        var holds: Bool
        var testDescription: String { "\(format) on \(value)" }
    }

    @Test(
        .proves("T15"),
        arguments: [
            Case(format: "TRUEPREDICATE", canonical: "TRUEPREDICATE", holds: true),
            Case(format: "FALSEPREDICATE", canonical: "FALSEPREDICATE", holds: false),
            Case(format: "SELF == 'a'", canonical: "SELF == \"a\"", holds: true),
            Case(format: "SELF == 'b'", canonical: "SELF == \"b\"", holds: false),
            Case(format: "SELF == ''", canonical: "SELF == \"\"", holds: false),
            Case(format: "SELF == ''", canonical: "SELF == \"\"", value: "", holds: true),
            Case(format: "SELF BEGINSWITH 'ab'", canonical: "SELF BEGINSWITH \"ab\"", value: "abc", holds: true),
            Case(format: "SELF BEGINSWITH 'bc'", canonical: "SELF BEGINSWITH \"bc\"", value: "abc", holds: false),
            Case(format: "SELF BEGINSWITH 'abc'", canonical: "SELF BEGINSWITH \"abc\"", value: "ab", holds: false),
            Case(format: "NOT TRUEPREDICATE", canonical: "NOT TRUEPREDICATE", holds: false),
            Case(format: "NOT SELF == 'b'", canonical: "NOT SELF == \"b\"", holds: true),
            Case(
                format: "SELF == 'a' AND SELF == 'b'",
                canonical: "SELF == \"a\" AND SELF == \"b\"",
                holds: false
            ),
            Case(
                format: "SELF == 'a' OR SELF == 'b'",
                canonical: "SELF == \"a\" OR SELF == \"b\"",
                holds: true
            ),
        ]
    )
    func formatIsParsedPrintedAndEvaluated(_ example: Case) throws {
        let predicate = try ContentPredicate(format: example.format)
        #expect(predicate.description == example.canonical)
        #expect(try predicate.evaluate(with: example.value) == example.holds)
    }

    @Test(arguments: ["truePredicate", "not falsepredicate", "self == 'a'", "SelF beginsWith 'a'", "Not Self == 'b'"])
    func keywordsIgnoreCase(_ format: String) throws {
        #expect(try ContentPredicate(format: format).evaluate(with: "a"))
        #expect(try ContentPredicate(format: format) == ContentPredicate(format: keywordsInUpperCase(of: format)))
    }

    @Test(arguments: [
        "SELF==\"a\"AND(NOT SELF==\"b\")",
        "  SELF == \"a\"  AND  ( NOT SELF == \"b\" )  ",
        "SELF\n==\t\"a\"\r\nAND\u{B}NOT\u{C}SELF == \"b\"",
        "SELF == \"a\" AND NOT(SELF == \"b\")",
        "SELF=='a'&&!SELF='b'",
        "(SELF)==('a')and not((SELF)=\"b\")",
    ])
    func whiteSpaceOnlySeparatesTokens(_ format: String) throws {
        let predicate = try ContentPredicate(format: format)
        #expect(predicate.description == "SELF == \"a\" AND (NOT SELF == \"b\")")
    }

    @Test func keywordsInsideAStringAreText() throws {
        let predicate = try ContentPredicate(format: "SELF == 'a OR SELF == b'")
        #expect(try predicate.evaluate(with: "a OR SELF == b"))
        #expect(try !predicate.evaluate(with: "a"))
    }

    @Test(.proves("T61"), arguments: [true, false])
    func constantPredicateEqualsItsParsedKeyword(_ value: Bool) throws {
        let predicate = ContentPredicate(value: value)
        #expect(try ContentPredicate(format: predicate.description) == predicate)
        #expect(try predicate.evaluate(with: "anything") == value)
    }

    /// Returns the format with its keywords in upper case; quoted text is unchanged.
    private func keywordsInUpperCase(of format: String) -> String {
        format.split(separator: "'", omittingEmptySubsequences: false)
            .enumerated()
            .map { index, piece in index.isMultiple(of: 2) ? piece.uppercased() : String(piece) }
            .joined(separator: "'")
    }
}
