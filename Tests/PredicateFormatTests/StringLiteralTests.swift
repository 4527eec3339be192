import PredicateFormat
import Testing
import WaypostSchema

@Suite struct StringLiteralTests {
    struct Case: CustomTestStringConvertible {
        /// The text between the quotation marks.
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
        Case(spelling: #"\uD83D\uDC4D"#, text: "\u{1F44D}"),
        Case(spelling: #"\ud83d\Udc4d!"#, text: "\u{1F44D}!"),
        Case(spelling: #"\uFFFF"#, text: "\u{FFFF}"),
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
    func escapeRepresentsItsCharacter(_ example: Case, _ quote: Character) throws {
        let predicate = try ContentPredicate(format: "SELF == \(quote)<\(example.spelling)>\(quote)")
        #expect(try predicate.evaluate(with: "<\(example.text)>"))
    }

    @Test(arguments: ["", "a b", "// \u{1F3AA} \u{E9}", "line\nline", "tab\tstop", "%@ $x #y", "a' 'b", "()"])
    func doubleQuotedTextIsLiteral(_ text: String) throws {
        #expect(try ContentPredicate(format: "SELF == \"\(text)\"").evaluate(with: text))
    }

    @Test(arguments: ["", "a b", "// \u{1F3AA} \u{E9}", "line\nline", "tab\tstop", "%@ $x #y", "a\" \"b", "()"])
    func singleQuotedTextIsLiteral(_ text: String) throws {
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
        #expect(try predicate.evaluate(with: example.text))
    }

    @Test(arguments: [
        (#"\1"#, "3 octal digits"), (#"\12"#, "3 octal digits"), (#"\18a"#, "3 octal digits"),
        (#"\x"#, "2 hexadecimal digits"), (#"\x4"#, "2 hexadecimal digits"), (#"\xg1"#, "2 hexadecimal digits"),
        (#"\x+1"#, "2 hexadecimal digits"), (#"\u"#, "4 hexadecimal digits"), (#"\u004"#, "4 hexadecimal digits"),
        (#"\u-041"#, "4 hexadecimal digits"),
    ])
    func escapeWithoutItsDigitsIsRefusedAtItsStart(_ escape: String, _ digits: String) throws {
        try expectRefusal(ofEscape: escape, saying: "the escape needs \(digits)")
    }

    @Test(arguments: [
        #"\uD83D"#, #"\uDC4D"#, #"\uD83D\u0041"#, #"\uD83D\x41"#, #"\uDC4D\uD83D"#, #"\uD83D\uD83D"#, #"\uD83DuDC4D"#,
    ])
    func loneSurrogateIsRefusedAtItsStart(_ escape: String) throws {
        try expectRefusal(ofEscape: escape, saying: "a high surrogate and then a low one are expected")
    }

    private func expectRefusal(ofEscape escape: String, saying words: String) throws {
        let format = "SELF == '\u{E9}\(escape)' OR TRUEPREDICATE"
        let error = try #require(throws: ContentPredicateError.self) { try ContentPredicate(format: format) }
        #expect(error.code == .syntax)
        #expect(error.offset == 11)
        #expect(error.message.contains(words))
    }

    @Test func backslashAtTheEndIsRefused() throws {
        let error = try #require(throws: ContentPredicateError.self) { try ContentPredicate(format: #"SELF == 'a\"#) }
        #expect(error == ContentPredicateError(code: .syntax, message: "the format ends with a backslash", offset: 10))
    }
}
