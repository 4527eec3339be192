import PredicateFormat
import Testing
import WaypostSchema

@Suite struct SyntaxRefusalTests {
    struct Case: CustomTestStringConvertible {
        var format: String
        var offset: Int
        var found: String
        var testDescription: String { format }
    }

    @Test(arguments: [
        Case(format: "", offset: 0, found: "found the end of the format"),
        Case(format: " \n ", offset: 3, found: "found the end of the format"),
        Case(format: "SELF", offset: 4, found: "found the end of the format"),
        Case(format: "SELF ==", offset: 7, found: "found the end of the format"),
        Case(format: "SELF BEGINSWITH ", offset: 16, found: "found the end of the format"),
        Case(format: "NOT", offset: 3, found: "found the end of the format"),
        Case(format: "SELF == 'a' AND", offset: 15, found: "found the end of the format"),
        Case(format: "SELF == 'a' OR", offset: 14, found: "found the end of the format"),
    ])
    func missingOperandIsRefusedAtTheEnd(_ example: Case) throws {
        try expectRefusal(example)
    }

    @Test(arguments: [
        Case(format: "SELF BEGINWITH 'a'", offset: 5, found: "found 'BEGINWITH'"),
        Case(format: "SELF BEGINS WITH 'a'", offset: 5, found: "found 'BEGINS'"),
        Case(format: "SELF IS 'a'", offset: 5, found: "found 'IS'"),
        Case(format: "SELF 'a'", offset: 5, found: "found a string"),
        Case(format: "SELF == SELF", offset: 8, found: "found 'SELF'"),
        Case(format: "AND SELF == 'a'", offset: 0, found: "found 'AND'"),
        Case(format: "SELF == 'a' AND OR SELF == 'b'", offset: 16, found: "found 'OR'"),
        Case(format: "SELF == 'a' NOT", offset: 12, found: "found 'NOT'"),
        Case(format: "SELF == 'a' extra", offset: 12, found: "found 'extra'"),
        Case(format: "SELF == 'a', SELF == 'b'", offset: 11, found: "found ','"),
        Case(format: "TRUEPREDICATE FALSEPREDICATE", offset: 14, found: "found 'FALSEPREDICATE'"),
        Case(format: "SELF NOT == 'a'", offset: 5, found: "found 'NOT'"),
    ])
    func misplacedWordIsRefusedWhereItStands(_ example: Case) throws {
        try expectRefusal(example)
    }

    @Test(arguments: [
        Case(format: "(SELF == 'a'", offset: 12, found: "the ')' of the '(' at offset 0"),
        Case(format: "TRUEPREDICATE AND ((SELF == 'a')", offset: 32, found: "the ')' of the '(' at offset 18"),
        Case(format: "(SELF == 'a' SELF", offset: 13, found: "found 'SELF'"),
        Case(format: "SELF == 'a')", offset: 11, found: "found ')'"),
        Case(format: "()", offset: 1, found: "found ')'"),
        Case(format: "(", offset: 1, found: "found the end of the format"),
        Case(format: ")", offset: 0, found: "found ')'"),
        Case(format: "(SELF) == 'a'", offset: 5, found: "found ')'"),
    ])
    func unbalancedParenthesisIsRefused(_ example: Case) throws {
        try expectRefusal(example)
    }

    @Test(arguments: [
        Case(format: "SELF == 'a", offset: 8, found: "the string has no end: ' is expected"),
        Case(format: "SELF == \"a'", offset: 8, found: "the string has no end: \" is expected"),
        Case(format: "SELF == '", offset: 8, found: "the string has no end: ' is expected"),
        Case(format: #"SELF == 'a\'"#, offset: 8, found: "the string has no end: ' is expected"),
        Case(format: "SELF == 'a' AND SELF == 'b", offset: 24, found: "the string has no end: ' is expected"),
    ])
    func stringWithoutAnEndIsRefusedWhereItStarts(_ example: Case) throws {
        try expectRefusal(example)
    }

    @Test(arguments: [
        Case(format: "SELF ? 'a'", offset: 5, found: "found '?'"),
        Case(format: "SELF == `a`", offset: 8, found: "found '`'"),
        Case(format: "SELF; == 'a'", offset: 4, found: "found ';'"),
        Case(format: "SELF ~= 'a'", offset: 5, found: "found '~'"),
        Case(format: #"\SELF == 'a'"#, offset: 0, found: #"found '\'"#),
        Case(format: "SELF == 'a' | SELF == 'b'", offset: 12, found: "found '|'"),
    ])
    func characterThatHasNoMeaningIsRefused(_ example: Case) throws {
        try expectRefusal(example)
    }

    @Test(arguments: [
        Case(format: "SELF == '\u{E9}' x", offset: 13, found: "found 'x'"),
        Case(format: "SELF == '\u{1F3AA}' x", offset: 15, found: "found 'x'"),
        Case(format: "SELF == 'cafe\u{301}' x", offset: 17, found: "found 'x'"),
        Case(format: "SELF == 'a' \u{1F3AA}", offset: 12, found: "found '\u{1F3AA}'"),
    ])
    func offsetIsInBytes(_ example: Case) throws {
        try expectRefusal(example)
    }

    /// Letters whose upper case is an ASCII letter spell no keyword.
    @Test(arguments: ["\u{17F}elf == 'a'", "SELF BEGIN\u{17F}WITH 'a'", "TRUEPRED\u{131}CATE", "FALSEPRED\u{131}CATE"])
    func lettersBeyondASCIISpellNoKeyword(_ format: String) {
        #expect(throws: PredicateFault.self) { try ContentPredicate(format: format) }
    }

    private func expectRefusal(_ example: Case) throws {
        let fault = try #require(throws: PredicateFault.self) { try ContentPredicate(format: example.format) }
        #expect(fault.code == .syntax)
        #expect(fault.offset == example.offset)
        #expect(fault.message.contains(example.found))
    }
}
