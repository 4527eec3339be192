import PredicateFormat
import Testing
import WaypostSchema

@Suite struct StringLiteralTests {
    struct Case: CustomTestStringConvertible {
        /// What stands between the quotation marks.
        var spelling: String
        var text: String
        var testDescription: String { spelling }
    }

    private static let quotes: [Character] = ["'", "\""]

    private static let escapes = [
        Case(spelling: #"\a"#, text: "\u{07}"),
        Case(spelling: #"\b"#, text: "\u{08}"),
        Case(spelling: #"\t"#, text: "\u{09}"),
        Case(spelling: #"\n"#, text: "\u{0A}"),
        Case(spelling: #"\v"#, text: "\u{0B}"),
        Case(spelling: #"\f"#, text: "\u{0C}"),
        Case(spelling: #"\r"#, text: "\u{0D}"),
        Case(spelling: #"\000"#, text: "\u{00}"),
        Case(spelling: #"\101"#, text: "A"),
        Case(spelling: #"\1012"#, text: "A2"),
        Case(spelling: #"\351"#, text: "\u{E9}"),
        Case(spelling: #"\x41"#, text: "A"),
        Case(spelling: #"\X4a"#, text: "J"),
        Case(spelling: #"\xe9f"#, text: "\u{E9}f"),
        Case(spelling: #"\u0041"#, text: "A"),
        Case(spelling: #"\U20aC"#, text: "\u{20AC}"),
        Case(spelling: #"\u00e9e"#, text: "\u{E9}e"),
        Case(spelling: #"\'"#, text: "'"),
        Case(spelling: #"\""#, text: "\""),
        Case(spelling: #"\\"#, text: "\\"),
        Case(spelling: #"\\n"#, text: "\\n"),
        Case(spelling: #"\?"#, text: "?"),
        Case(spelling: #"\d"#, text: "d"),
        Case(spelling: #"\9"#, text: "9"),
        Case(spelling: "\\\u{E9}", text: "\u{E9}"),
        Case(spelling: "\\\u{1F3AA}", text: "\u{1F3AA}"),
    ]

    @Test(arguments: escapes, quotes)
    func escapeStandsForItsCharacter(_ example: Case, _ quote: Character) throws {
        let predicate = try ContentPredicate(format: "SELF == \(quote)<\(example.spelling)>\(quote)")
        #expect(predicate.evaluate(with: "<\(example.text)>"))
    }

    @Test(arguments: ["", "a b", "// \u{1F3AA} \u{E9}", "line\nline", "tab\tstop", "%@ $x #y", "a' 'b", "()"])
    func textStandsForItselfInDoubleQuotes(_ text: String) throws {
        #expect(try ContentPredicate(format: "SELF == \"\(text)\"").evaluate(with: text))
    }

    @Test(arguments: ["", "a b", "// \u{1F3AA} \u{E9}", "line\nline", "tab\tstop", "%@ $x #y", "a\" \"b", "()"])
    func textStandsForItselfInSingleQuotes(_ text: String) throws {
        #expect(try ContentPredicate(format: "SELF == '\(text)'").evaluate(with: text))
    }

    @Test func bothQuotesSpellTheSamePredicate() throws {
        let single = try ContentPredicate(format: "SELF == 'a'")
        #expect(try ContentPredicate(format: "SELF == \"a\"") == single)
    }

    @Test(arguments: [
        Case(spelling: #"say \"a\""#, text: #"say "a""#),
        Case(spelling: #"back\\slash"#, text: #"back\slash"#),
        Case(spelling: "it's", text: "it's"),
        Case(spelling: "line\nline\u{7}", text: "line\nline\u{7}"),
    ])
    func canonicalTextEscapesQuotesAndBackslashesOnly(_ example: Case) throws {
        let predicate = try ContentPredicate(format: "SELF == \"\(example.spelling)\"")
        #expect(predicate.description == "SELF == \"\(example.spelling)\"")
        #expect(predicate.evaluate(with: example.text))
    }

    @Test(arguments: [
        #"\1"#, #"\12"#, #"\18a"#, #"\x"#, #"\x4"#, #"\xg1"#, #"\x+1"#, #"\u"#, #"\u004"#, #"\u-041"#, #"\uD83D"#,
        #"\uDC4D"#,
    ])
    func escapeWithoutItsDigitsIsRefusedWhereItStarts(_ escape: String) throws {
        let format = "SELF == '\u{E9}\(escape)' OR TRUEPREDICATE"
        let fault = try #require(throws: PredicateFault.self) { try ContentPredicate(format: format) }
        #expect(fault.code == .syntax)
        #expect(fault.offset == 11)
        #expect(fault.message.contains("digits that name a character"))
    }

    @Test func backslashAtTheEndIsRefused() throws {
        let fault = try #require(throws: PredicateFault.self) { try ContentPredicate(format: #"SELF == 'a\"#) }
        #expect(fault == PredicateFault(code: .syntax, message: "a backslash ends the format", offset: 10))
    }
}
