import PredicateFormat
import Testing

@Suite struct PrecedenceTests {
    /// A format and its canonical text.
    ///
    /// In both, `a`, `b`, … abbreviate `SELF == "a"`, `SELF == "b"`, ….
    struct Case: CustomTestStringConvertible {
        var format: String
        var canonical: String
        var testDescription: String { format }
    }

    @Test(arguments: [
        Case(format: "a OR b AND c", canonical: "a OR (b AND c)"),
        Case(format: "a AND b OR c", canonical: "(a AND b) OR c"),
        Case(format: "a AND b OR c AND d", canonical: "(a AND b) OR (c AND d)"),
        Case(format: "a OR b AND c OR d", canonical: "a OR (b AND c) OR d"),
    ])
    func andBindsTighterThanOr(_ example: Case) throws {
        try expectCanonicalText(example)
    }

    @Test(arguments: [
        Case(format: "NOT a AND b", canonical: "(NOT a) AND b"),
        Case(format: "NOT a OR b", canonical: "(NOT a) OR b"),
        Case(format: "a AND NOT b OR c", canonical: "(a AND (NOT b)) OR c"),
        Case(format: "NOT NOT a", canonical: "NOT (NOT a)"),
    ])
    func notBindsTightest(_ example: Case) throws {
        try expectCanonicalText(example)
    }

    @Test(arguments: [
        Case(format: "a || b && c", canonical: "a OR (b AND c)"),
        Case(format: "a&&b||c", canonical: "(a AND b) OR c"),
        Case(format: "!a && b", canonical: "(NOT a) AND b"),
        Case(format: "!!a", canonical: "NOT (NOT a)"),
        Case(format: "! NOT a", canonical: "NOT (NOT a)"),
        Case(format: "!(a OR b)", canonical: "NOT (a OR b)"),
        Case(format: "a AND b && c", canonical: "a AND b AND c"),
        Case(format: "a OR b || c", canonical: "a OR b OR c"),
    ])
    func symbolsBindAsTheirKeywordsDo(_ example: Case) throws {
        try expectCanonicalText(example)
    }

    @Test(arguments: [
        Case(format: "a AND b AND c AND d", canonical: "a AND b AND c AND d"),
        Case(format: "a OR b OR c OR d", canonical: "a OR b OR c OR d"),
    ])
    func unparenthesizedChainIsFlat(_ example: Case) throws {
        try expectCanonicalText(example)
    }

    @Test(arguments: [
        Case(format: "(a AND b) AND c", canonical: "(a AND b) AND c"),
        Case(format: "a AND (b AND c)", canonical: "a AND (b AND c)"),
        Case(format: "(a OR b) AND c", canonical: "(a OR b) AND c"),
        Case(format: "a OR (b OR c)", canonical: "a OR (b OR c)"),
        Case(format: "NOT (a OR b)", canonical: "NOT (a OR b)"),
    ])
    func parenthesesThatChangeTheTreeAreKept(_ example: Case) throws {
        try expectCanonicalText(example)
    }

    @Test(arguments: [
        Case(format: "(a)", canonical: "a"),
        Case(format: "((a))", canonical: "a"),
        Case(format: "(a) OR (b)", canonical: "a OR b"),
        Case(format: "((a OR b))", canonical: "a OR b"),
        Case(format: "NOT (a)", canonical: "NOT a"),
    ])
    func redundantParenthesesAreDropped(_ example: Case) throws {
        try expectCanonicalText(example)
    }

    @Test func predicatesWithDifferentGroupingDiffer() throws {
        let flat = try ContentPredicate(format: "SELF == 'a' AND SELF == 'b' AND SELF == 'c'")
        let grouped = try ContentPredicate(format: "(SELF == 'a' AND SELF == 'b') AND SELF == 'c'")
        #expect(flat != grouped)
    }

    /// Formats whose result would be the opposite if `OR` bound tighter.
    @Test(arguments: [
        ("TRUEPREDICATE OR FALSEPREDICATE AND FALSEPREDICATE", true),
        ("FALSEPREDICATE AND FALSEPREDICATE OR TRUEPREDICATE", true),
        ("(TRUEPREDICATE OR FALSEPREDICATE) AND FALSEPREDICATE", false),
        ("FALSEPREDICATE AND (FALSEPREDICATE OR TRUEPREDICATE)", false),
        ("NOT TRUEPREDICATE OR TRUEPREDICATE", true),
        ("NOT (TRUEPREDICATE OR TRUEPREDICATE)", false),
        ("NOT FALSEPREDICATE AND FALSEPREDICATE", false),
        ("NOT (FALSEPREDICATE AND FALSEPREDICATE)", true),
    ])
    func resultFollowsThePrecedence(_ format: String, _ holds: Bool) throws {
        #expect(try ContentPredicate(format: format).evaluate(with: "") == holds)
    }

    private func expectCanonicalText(_ example: Case) throws {
        let predicate = try ContentPredicate(format: spelledOut(example.format))
        #expect(predicate.description == spelledOut(example.canonical))
    }

    private func spelledOut(_ text: String) -> String {
        text.map { $0.isLowercase ? "SELF == \"\($0)\"" : String($0) }.joined()
    }
}
