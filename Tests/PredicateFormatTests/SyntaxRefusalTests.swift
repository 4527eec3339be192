import Foundation
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

    private static let operand = "where SELF, a string, a number, nil or {…} is expected"
    private static let anyOperator = "where an operator, such as ==, BEGINSWITH or LIKE, is expected"
    private static let joint = "where AND, OR or the end of the format is expected"

    @Test(arguments: ["SELF == 'a' foo", "SELF == 'a' )", "SELF == 'a' 5"])
    func otherTokenAfterAStringHasNoHint(_ format: String) throws {
        let error = try #require(throws: ContentPredicateError.self) { try ContentPredicate(format: format) }
        #expect(!error.message.contains("ends the string"), "\(error.message)")
    }

    @Test(arguments: [
        Case(format: "", offset: 0, found: "found the end of the format \(operand)"),
        Case(format: " \n ", offset: 3, found: "found the end of the format \(operand)"),
        Case(format: "SELF ==", offset: 7, found: "found the end of the format \(operand)"),
        Case(format: "SELF BEGINSWITH ", offset: 16, found: "found the end of the format \(operand)"),
        Case(format: "NOT", offset: 3, found: "found the end of the format \(operand)"),
        Case(format: "SELF == 'a' AND", offset: 15, found: "found the end of the format \(operand)"),
        Case(format: "SELF == 'a' OR", offset: 14, found: "found the end of the format \(operand)"),
        Case(format: "AND SELF == 'a'", offset: 0, found: "found 'AND' \(operand)"),
        Case(format: "SELF == 'a' AND OR SELF == 'b'", offset: 16, found: "found 'OR' \(operand)"),
        Case(format: "SELF == TRUEPREDICATE", offset: 8, found: "found 'TRUEPREDICATE' \(operand)"),
        Case(format: "SELF == size", offset: 8, found: "found 'size' \(operand)"),
        Case(format: "ANY TRUEPREDICATE", offset: 4, found: "found 'TRUEPREDICATE' \(operand)"),
        Case(format: "SELF == .5", offset: 8, found: "found '.' \(operand)"),
        Case(format: "SELF BETWEEN[c] {'a', 'b'}", offset: 12, found: "found '[' \(operand)"),
        Case(format: "()", offset: 1, found: "found ')' \(operand)"),
        Case(format: "(", offset: 1, found: "found the end of the format \(operand)"),
        Case(format: ")", offset: 0, found: "found ')' \(operand)"),
    ])
    func missingOperandIsRefusedAtItsPlace(_ example: Case) throws {
        try expectRefusal(example)
    }

    @Test(arguments: [
        Case(format: "SELF", offset: 4, found: "found the end of the format \(anyOperator)"),
        Case(format: "TRUE", offset: 4, found: "found the end of the format \(anyOperator)"),
        Case(format: "length", offset: 6, found: "found the end of the format \(anyOperator)"),
        Case(format: "(SELF", offset: 5, found: "found the end of the format \(anyOperator)"),
        Case(format: "NOT SELF", offset: 8, found: "found the end of the format \(anyOperator)"),
        Case(format: "SELF AND TRUEPREDICATE", offset: 5, found: "found 'AND' \(anyOperator)"),
        Case(format: "(SELF) OR TRUEPREDICATE", offset: 7, found: "found 'OR' \(anyOperator)"),
        Case(format: "SELF == 'a' AND 'b'", offset: 19, found: "found the end of the format \(anyOperator)"),
        Case(format: "SELF RESEMBLES 'a'", offset: 5, found: "found 'RESEMBLES' \(anyOperator)"),
        Case(format: "SELF 'a'", offset: 5, found: "found a string \(anyOperator)"),
        Case(format: "SELF 5", offset: 5, found: "found the number 5 \(anyOperator)"),
        Case(format: "(SELF 'a')", offset: 6, found: "found a string \(anyOperator)"),
        Case(format: "SELF ~= 'a'", offset: 5, found: "found '~' \(anyOperator)"),
        Case(format: "SELF)", offset: 4, found: "found ')' \(anyOperator)"),
    ])
    func missingOperatorIsRefusedAtItsPlace(_ example: Case) throws {
        try expectRefusal(example)
    }

    @Test(arguments: [
        ("BEGINWITH", "BEGINSWITH"), ("BEGINS WITH", "BEGINSWITH"), ("beginsWth", "BEGINSWITH"),
        ("ENDWITH", "ENDSWITH"),
        ("ENDS WITH", "ENDSWITH"), ("CONTAIN", "CONTAINS"), ("CONTIANS", "CONTAINS"), ("LIK", "LIKE"),
        ("LIKES", "LIKE"),
        ("BETWEN", "BETWEEN"), ("INN", "IN"),
    ])
    func misspelledOperatorIsSuggestedCorrectly(_ written: String, _ meant: String) throws {
        let word = written.prefix { $0 != " " }
        for (opening, closing) in [("", ""), ("(", ")"), ("NOT ", "")] {
            let format = "\(opening)SELF \(written) 'a'\(closing)"
            let found = "found '\(word)' where an operator, such as \(meant), is expected"
            try expectRefusal(Case(format: format, offset: opening.utf8.count + 5, found: found))
        }
    }

    @Test(arguments: [
        Case(format: "SELF == 'a' NOT", offset: 12, found: "found 'NOT' \(joint)"),
        Case(format: "SELF == 'a' extra", offset: 12, found: "found 'extra' \(joint)"),
        Case(format: "SELF == 'a' == 'b'", offset: 12, found: "found '==' \(joint)"),
        Case(format: "SELF == 'a', SELF == 'b'", offset: 11, found: "found ',' \(joint)"),
        Case(format: "TRUEPREDICATE FALSEPREDICATE", offset: 14, found: "found 'FALSEPREDICATE' \(joint)"),
        Case(format: "SELF == 'a')", offset: 11, found: "found ')' \(joint)"),
        Case(format: "(SELF == 'a') == 'b'", offset: 14, found: "found '==' \(joint)"),
        Case(format: "SELF IN {'a'} 'b'", offset: 14, found: "found a string \(joint)"),
    ])
    func textAfterAPredicateIsRefused(_ example: Case) throws {
        try expectRefusal(example)
    }

    @Test(arguments: [
        Case(format: "(SELF == 'a'", offset: 12, found: "AND, OR or the ')' that closes the '(' at offset 0"),
        Case(
            format: "TRUEPREDICATE AND ((SELF == 'a')",
            offset: 32,
            found: "AND, OR or the ')' that closes the '(' at offset 18"
        ),
        Case(format: "(SELF == 'a' SELF", offset: 13, found: "found 'SELF' where AND, OR or the ')' that closes"),
        Case(format: "SELF == ('a'", offset: 12, found: "the ')' that closes the '(' at offset 8"),
        Case(format: "SELF IN ('a', 'b')", offset: 12, found: "write the elements of an aggregate between '{' and '}'"),
        Case(format: "SELF IN {'a'", offset: 12, found: "',' or the '}' that closes the '{' at offset 8"),
        Case(
            format: "SELF IN {'a' 'b'}",
            offset: 13,
            found: "found a string where ',' or the '}' that closes the '{' at offset 8"
        ),
        Case(format: "SELF IN {'a',}", offset: 13, found: "found '}' \(operand)"),
        Case(format: "SELF IN {,}", offset: 9, found: "found ',' \(operand)"),
        Case(format: "SELF[0 == 'a'", offset: 7, found: "found '==' where ']' is expected"),
        Case(format: "f(1 == SELF", offset: 11, found: "',' or the ')' that closes the arguments"),
        Case(format: "f(1 2) == SELF", offset: 4, found: "found the number 2 where ',' or the ')' that closes"),
    ])
    func unbalancedBracketIsRefused(_ example: Case) throws {
        try expectRefusal(example)
    }

    @Test(arguments: [
        Case(format: "SELF ==[x] 'a'", offset: 8, found: "found 'x' where one of the options c, d and n"),
        Case(format: "SELF ==[cx] 'a'", offset: 8, found: "found 'cx' where one of the options c, d and n"),
        Case(format: "SELF ==[] 'a'", offset: 8, found: "found ']' where one of the options c, d and n"),
        Case(format: "SELF ==[5] 'a'", offset: 8, found: "found the number 5 where one of the options c, d and n"),
        Case(format: "SELF ==[c 'a'", offset: 10, found: "found a string where a ']' after the options is expected"),
    ])
    func unknownOptionIsRefused(_ example: Case) throws {
        try expectRefusal(example)
    }

    @Test(arguments: [
        Case(format: "SELF == 'a", offset: 8, found: "the string has no end: ' is expected"),
        Case(format: "SELF == \"a'", offset: 8, found: "the string has no end: \" is expected"),
        Case(format: "SELF == '", offset: 8, found: "the string has no end: ' is expected"),
        Case(format: #"SELF == 'a\'"#, offset: 8, found: "the string has no end: ' is expected"),
        Case(format: "SELF == 'a' AND SELF == 'b", offset: 24, found: "the string has no end: ' is expected"),
        Case(format: "SELF == 'a''", offset: 11, found: "' is expected; the apostrophe at offset 10 ends the string"),
        Case(format: "SELF == \"a\"\"", offset: 11, found: "; the quotation mark at offset 10 ends the string"),
    ])
    func unterminatedStringIsRefusedAtItsStart(_ example: Case) throws {
        try expectRefusal(example)
    }

    @Test(arguments: [
        Case(format: "SELF ? 'a'", offset: 5, found: "found '?' U+003F: a question mark has no meaning"),
        Case(format: "SELF == `a`", offset: 8, found: "found '`' U+0060: write strings in ' or \""),
        Case(
            format: "SELF == \u{2018}a\u{2019}",
            offset: 8,
            found: "U+2018: write strings in ' or \", not in typographic"
        ),
        Case(
            format: "SELF == \u{201C}a\u{201D}",
            offset: 8,
            found: "U+201C: write strings in ' or \", not in typographic"
        ),
        Case(format: "SELF; == 'a'", offset: 4, found: "found ';' U+003B: it has no meaning outside a string"),
        Case(format: #"\SELF == 'a'"#, offset: 0, found: #"found '\' U+005C: it has no meaning outside a string"#),
        Case(format: "caf\u{E9} == 'x'", offset: 3, found: "found '\u{E9}' U+00E9: it has no meaning outside a string"),
        Case(format: "SELF\u{A0}== 'a'", offset: 4, found: "found U+00A0: only ASCII white space separates words"),
        Case(format: "SELF\u{0}== 'a'", offset: 4, found: "found U+0000: it has no meaning outside a string"),
        Case(format: "SELF == 'a' \u{1F3AA}", offset: 12, found: "found '\u{1F3AA}' U+1F3AA: it has no meaning"),
    ])
    func meaninglessCharacterIsRefused(_ example: Case) throws {
        try expectRefusal(example)
    }

    @Test(arguments: [
        Case(format: "# == 'a'", offset: 0, found: "found '#' without a name"),
        Case(format: "#1 == 'a'", offset: 0, found: "found '#' without a name"),
        Case(format: "SELF == $", offset: 8, found: "found '$' without a name"),
        Case(format: "SELF == $1", offset: 8, found: "found '$' without a name"),
        Case(format: "SELF.5 == 'a'", offset: 5, found: "found the number 5 where a name is expected"),
        Case(format: "SELF. == 'a'", offset: 6, found: "found '==' where a name is expected"),
        Case(
            format: "add:to: == 3",
            offset: 8,
            found: "found '==' where the argument list of 'add:to:' (a string needs quotation marks) is expected"
        ),
    ])
    func missingNameIsRefused(_ example: Case) throws {
        try expectRefusal(example)
    }

    @Test(arguments: [
        Case(format: "SELF == '\u{E9}' x", offset: 13, found: "found 'x'"),
        Case(format: "SELF == '\u{1F3AA}' x", offset: 15, found: "found 'x'"),
        Case(format: "SELF == 'cafe\u{301}' x", offset: 17, found: "found 'x'"),
    ])
    func offsetIsInBytes(_ example: Case) throws {
        try expectRefusal(example)
    }

    /// Non-ASCII letters whose uppercase form is an ASCII letter spell no keyword.
    @Test(arguments: ["\u{17F}elf == 'a'", "SELF BEGIN\u{17F}WITH 'a'", "TRUEPRED\u{131}CATE", "FALSEPRED\u{131}CATE"])
    func nonASCIILettersSpellNoKeyword(_ format: String) {
        #expect(throws: ContentPredicateError.self) { try ContentPredicate(format: format) }
    }

    private func expectRefusal(_ example: Case) throws {
        let error = try #require(throws: ContentPredicateError.self) { try ContentPredicate(format: example.format) }
        #expect(error.code == .syntax)
        #expect(error.offset == example.offset)
        #expect(error.message.contains(example.found))
    }
}
