import PredicateFormat
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite struct LikeTests {
    struct Case: CustomTestStringConvertible {
        /// The pattern itself, without the escapes of a format.
        var pattern: String
        var value: String
        var options: ContentPredicate.Options = []
        var testDescription: String { "\(value.debugDescription) LIKE \(pattern.debugDescription)" }
    }

    @Test(
        .proves("T54"),
        arguments: [
            Case(pattern: "crusty", value: "crusty"),
            Case(pattern: "*", value: ""),
            Case(pattern: "*", value: "anything\r\nat all"),
            Case(pattern: "***", value: "a"),
            Case(pattern: "?", value: "\n"),
            Case(pattern: "clowns/*", value: "clowns/"),
            Case(pattern: "clowns/*", value: "clowns/crusty/shoes"),
            Case(pattern: "*/crusty", value: "clowns/crusty"),
            Case(pattern: "*crusty*", value: "crusty"),
            Case(pattern: "a*b*c", value: "abcbc"),
            Case(pattern: "a*ab", value: "aab"),
            Case(pattern: "?rust?", value: "crusty"),
            Case(pattern: "*?", value: "a"),
            Case(pattern: "a.*[b]+(c|d)^$", value: "a.x[b]+(c|d)^$"),
        ]
    )
    func patternMatchesTheWholeText(_ example: Case) throws {
        #expect(try isMatch(example))
    }

    @Test(
        .proves("T54"),
        arguments: [
            Case(pattern: "crusty", value: "Crusty"),
            Case(pattern: "crust", value: "crusty"),
            Case(pattern: "rusty", value: "crusty"),
            Case(pattern: "?", value: ""),
            Case(pattern: "?", value: "ab"),
            Case(pattern: "?", value: "\r\n"),
            Case(pattern: "*a*a*", value: "a"),
            Case(pattern: "ab*ba", value: "aba"),
            Case(pattern: "a*b", value: "abc"),
            Case(pattern: "a.c", value: "abc"),
            Case(pattern: "[ab]", value: "a"),
        ]
    )
    func otherTextDoesNotMatch(_ example: Case) throws {
        #expect(try !isMatch(example))
    }

    @Test(arguments: ["", "a", " ", "\u{E9}"])
    func emptyPatternMatchesNothing(_ value: String) throws {
        #expect(try !isMatch(Case(pattern: "", value: value)))
    }

    @Test(arguments: [
        Case(pattern: #"a\*b"#, value: "a*b"),
        Case(pattern: #"a\?b"#, value: "a?b"),
        Case(pattern: #"a\\b"#, value: #"a\b"#),
        Case(pattern: #"a\\*b"#, value: #"a\xb"#),
        Case(pattern: #"\a\b"#, value: "ab"),
        Case(pattern: #"\*\?*"#, value: "*?!"),
        Case(pattern: #"*\\"#, value: #"a\"#),
    ])
    func backslashMakesTheNextCharacterLiteral(_ example: Case) throws {
        #expect(try isMatch(example))
        #expect(try !isMatch(Case(pattern: example.pattern, value: "axb")))
    }

    @Test func formatNeedsTwoBackslashesForOneOfThePattern() throws {
        let predicate = try ContentPredicate(format: #"SELF LIKE 'a\\*b'"#)
        #expect(try predicate.evaluate(with: "a*b"))
        #expect(try !predicate.evaluate(with: "axb"))
        // In this format, the string literal consumes the backslash.
        #expect(try ContentPredicate(format: #"SELF LIKE 'a\*b'"#).evaluate(with: "axb"))
    }

    @Test(arguments: [#"\"#, #"a\"#, #"*\"#, #"a\\\"#])
    func backslashAtTheEndOfThePatternIsAnError(_ pattern: String) throws {
        for value in ["", "a", #"a\"#] {
            let predicate = try ContentPredicate(format: "SELF LIKE %@", pattern)
            let error = try #require(throws: ContentPredicateError.self) { try predicate.evaluate(with: value) }
            #expect(error.code == .evaluation)
            #expect(error.offset == 5)
            #expect(error.message.contains("ends with a single backslash"))
        }
    }

    @Test func valueCanBeThePattern() throws {
        let predicate = try ContentPredicate(format: "'crusty' LIKE SELF")
        #expect(try predicate.evaluate(with: "c*y"))
        #expect(try predicate.evaluate(with: "crusty"))
        #expect(try !predicate.evaluate(with: "c?y"))
        #expect(throws: ContentPredicateError.self) { try predicate.evaluate(with: #"c\"#) }
    }

    /// A question mark matches one Unicode scalar of the text; nothing is composed or decomposed.
    @Test(arguments: [
        (Case(pattern: "caf?", value: "caf\u{E9}"), true),
        (Case(pattern: "caf?", value: "cafe\u{301}"), false),
        (Case(pattern: "caf??", value: "cafe\u{301}"), true),
        (Case(pattern: "caf\u{E9}", value: "cafe\u{301}"), false),
        (Case(pattern: "cafe*", value: "cafe\u{301}"), true),
        (Case(pattern: "?", value: "\u{1F3AA}"), true),
        (Case(pattern: "?", value: "\u{1F44D}\u{1F3FD}"), false),
        (Case(pattern: "*\u{1F3FD}", value: "\u{1F44D}\u{1F3FD}"), true),
    ])
    func questionMarkMatchesOneScalar(_ example: Case, _ isMatch: Bool) throws {
        #expect(try self.isMatch(example) == isMatch)
    }

    @Test(arguments: [
        (Case(pattern: "CRUSTY*", value: "crusty!", options: .caseInsensitive), true),
        (Case(pattern: "crusty*", value: "CRUSTY!", options: .caseInsensitive), true),
        (Case(pattern: "*caf\u{C9}", value: "un caf\u{E9}", options: .caseInsensitive), true),
        (Case(pattern: "cafe", value: "caf\u{E9}", options: .caseInsensitive), false),
        (Case(pattern: "cafe", value: "caf\u{E9}", options: .diacriticInsensitive), true),
        (Case(pattern: "caf\u{E9}", value: "cafe", options: .diacriticInsensitive), true),
        (Case(pattern: "Cafe", value: "caf\u{E9}", options: .diacriticInsensitive), false),
        (Case(pattern: "CAFE", value: "caf\u{E9}", options: [.caseInsensitive, .diacriticInsensitive]), true),
        (Case(pattern: "caf?", value: "cafe\u{301}", options: .diacriticInsensitive), true),
        (Case(pattern: "STRASSE", value: "stra\u{DF}e", options: .caseInsensitive), true),
        (Case(pattern: "stra??e", value: "stra\u{DF}e", options: .caseInsensitive), true),
        (Case(pattern: "ABC", value: "\u{FF41}\u{FF42}\u{FF43}", options: .caseInsensitive), true),
        (Case(pattern: "A", value: "a", options: [.caseInsensitive, .normalized]), false),
        (Case(pattern: "e", value: "\u{E9}", options: [.diacriticInsensitive, .normalized]), false),
    ])
    func optionsFoldThePatternAndTheText(_ example: Case, _ isMatch: Bool) throws {
        #expect(try self.isMatch(example) == isMatch)
    }

    /// A mark after a wildcard follows a character, as it does in the text.
    @Test(arguments: [
        Case(pattern: "caf?\u{301}", value: "caf\u{E9}", options: .diacriticInsensitive),
        Case(pattern: "caf?\u{301}s", value: "cafe\u{301}s", options: .diacriticInsensitive),
        Case(pattern: "c*\u{301}", value: "cafe\u{301}", options: [.caseInsensitive, .diacriticInsensitive]),
    ])
    func markAfterAWildcardIsIgnored(_ example: Case) throws {
        #expect(try isMatch(example))
    }

    private func isMatch(_ example: Case) throws -> Bool {
        try ContentPredicate.like(example.pattern, example.options).evaluate(with: example.value)
    }
}
