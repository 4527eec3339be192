import PredicateFormat
import Testing
import WaypostSchema

/// The human-readable reason for the result of the deciding part; `PredicateReasonVectorTests` has more.
@Suite struct PredicateReasonTests {
    struct Case: CustomTestStringConvertible {
        var format: String
        var value: String
        var because: String
        var testDescription: String { "\(format) on \(value)" }
    }

    @Test(arguments: [
        Case(format: "SELF == 'crusty'", value: "crusty", because: "SELF equals it"),
        Case(format: "SELF != 'crusty'", value: "crusty", because: "SELF equals it"),
        Case(
            format: "SELF == 'crusty'",
            value: "Crusty",
            because: "it differs only in case or width; ==[c] would ignore that"
        ),
        Case(
            format: "SELF == 'caf\u{E9}'",
            value: "cafe\u{301}",
            because: "the characters are the same, but composed of other code units"
        ),
        Case(format: "SELF == 'crusty'", value: "crust", because: "SELF ends where \"y\" is expected"),
        Case(format: "SELF == 'crusty'", value: "crusty!", because: "SELF continues with \"!\""),
        Case(format: "SELF == 'crusty'", value: "bob", because: "SELF begins with \"bob\", not with \"crusty\""),
        Case(
            format: "SELF == 'crusty'",
            value: "crumb",
            because: "after 3 equal characters, SELF continues with \"mb\", not with \"sty\""
        ),
        Case(
            format: "SELF == 'crusty'",
            value: "clown",
            because: "after 1 equal character, SELF continues with \"lown\", not with \"rusty\""
        ),
        Case(
            format: "SELF == 'a'",
            value: String(repeating: "b", count: 100),
            because: "SELF begins with \"\(String(repeating: "b", count: 23))…\", not with \"a\""
        ),
    ])
    func reasonShowsTheDifferenceBetweenTexts(_ example: Case) throws {
        try expectReason(example)
    }

    @Test(arguments: [
        Case(format: "SELF BEGINSWITH 'a'", value: "ab", because: "SELF begins with it"),
        Case(format: "SELF BEGINSWITH 'a'", value: "", because: "SELF ends where \"a\" is expected"),
        Case(format: "SELF BEGINSWITH ''", value: "a", because: "an empty string is never found"),
        Case(
            format: "SELF BEGINSWITH 'A'",
            value: "ab",
            because: "it differs only in case or width; BEGINSWITH[c] would ignore that"
        ),
        Case(format: "SELF ENDSWITH 'b'", value: "ab", because: "SELF ends with it"),
        Case(format: "SELF ENDSWITH 'abc'", value: "xyz", because: "SELF ends with \"xyz\""),
        Case(format: "SELF CONTAINS 'b'", value: "abc", because: "SELF contains it"),
        Case(format: "SELF CONTAINS 'x'", value: "abc", because: "SELF does not contain it"),
        Case(
            format: "SELF CONTAINS 'e'",
            value: "caf\u{E9}",
            because: "it differs only in diacritics or width; CONTAINS[d] would ignore that"
        ),
        Case(format: "SELF IN 'abc'", value: "b", because: "SELF is contained in it"),
        Case(format: "SELF IN 'abc'", value: "x", because: "SELF is not contained in it"),
        Case(
            format: "'ABC' CONTAINS SELF",
            value: "b",
            because: "it differs only in case or width; CONTAINS[c] would ignore that"
        ),
    ])
    func reasonDescribesTheResultOfASearch(_ example: Case) throws {
        try expectReason(example)
    }

    @Test(arguments: [
        Case(format: "SELF LIKE 'a*'", value: "ab", because: "SELF matches the pattern"),
        Case(format: "SELF LIKE ''", value: "a", because: "an empty pattern matches nothing"),
    ])
    func reasonDescribesHowThePatternFits(_ example: Case) throws {
        try expectReason(example)
    }

    @Test(arguments: [
        Case(format: "SELF < 'b'", value: "a", because: "SELF sorts before it"),
        Case(format: "SELF < 'b'", value: "b", because: "SELF sorts the same as it"),
        Case(format: "SELF <= 'b'", value: "c", because: "SELF sorts after it"),
        Case(format: "SELF BETWEEN {'a', 'c'}", value: "b", because: "SELF is between the bounds"),
        Case(format: "SELF BETWEEN {'a', 'c'}", value: "d", because: "SELF is not between the bounds"),
        Case(format: "SELF IN {'a', 'b'}", value: "b", because: "SELF is in the aggregate of 2"),
        Case(format: "SELF IN {'a', 'b'}", value: "c", because: "SELF is not in the aggregate of 2"),
        Case(format: "SELF == {'a'}", value: "a", because: "SELF is a string, not an aggregate"),
        Case(format: "SELF == 5", value: "5", because: "SELF is a string, not a number"),
        Case(format: "SELF < '9'", value: "8", because: "SELF sorts before it"),
        Case(format: "SELF == nil", value: "", because: "SELF is a string, not nil"),
        Case(format: "SELF == SELF", value: "a", because: "SELF is compared with itself"),
        Case(format: "'a' == SELF", value: "a", because: "SELF equals it"),
        Case(format: "'a' == SELF", value: "b", because: "SELF begins with \"b\", not with \"a\""),
        Case(format: "'b' < SELF", value: "a", because: "SELF sorts before it"),
        Case(format: "'b' >= SELF", value: "a", because: "SELF sorts before it"),
        Case(format: "'b' IN SELF", value: "abc", because: "SELF contains it"),
        Case(format: "'b' CONTAINS SELF", value: "abc", because: "SELF is not contained in it"),
        Case(format: "{'a', 'b'} CONTAINS SELF", value: "b", because: "SELF is in the aggregate of 2"),
        Case(format: "'abc' BEGINSWITH SELF", value: "a", because: "the comparison is true"),
        Case(format: "'abc' BEGINSWITH SELF", value: "b", because: "the comparison is false"),
        Case(
            format: "SELF ==[c] 'Crusty'",
            value: "CRUMB",
            because: "after 3 equal characters, SELF continues with \"mb\", not with \"sty\""
        ),
        Case(format: "SELF ==[cn] 'A'", value: "a", because: "SELF begins with \"a\", not with \"A\""),
    ])
    func reasonDescribesOtherComparisons(_ example: Case) throws {
        try expectReason(example)
    }

    @Test(arguments: [
        Case(format: "TRUEPREDICATE", value: "", because: "it is always true"),
        Case(format: "FALSEPREDICATE", value: "", because: "it is always false"),
        Case(
            format: "SELF == 'a' OR SELF == 'b' OR SELF == 'c'",
            value: "d",
            because: "none of the 3 alternatives is true"
        ),
        Case(format: "SELF BEGINSWITH 'a' AND SELF ENDSWITH 'b'", value: "ab", because: "all 2 conditions are true"),
        Case(format: "NOT (SELF == 'a' OR SELF == 'b')", value: "c", because: "none of the 2 alternatives is true"),
    ])
    func reasonCountsTheOperandsOfACompound(_ example: Case) throws {
        try expectReason(example)
    }

    private func expectReason(_ example: Case) throws {
        let evaluation = try ContentPredicate(format: example.format).evaluation(with: example.value)
        #expect(evaluation.decidingPredicate.because == example.because)
    }
}
