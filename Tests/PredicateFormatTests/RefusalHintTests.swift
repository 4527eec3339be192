import PredicateFormat
import Testing
import WaypostSchema

/// The hint in a refusal: what the author probably meant.
@Suite struct RefusalHintTests {
    @Test(
        arguments: [
            ("SELF BEGINWITH 'a'", "such as BEGINSWITH,"), ("SELF BEGINS WITH 'a'", "such as BEGINSWITH,"),
            ("SELF IS 'a'", "such as ==,"), ("SELF equals 'a'", "such as ==,"),
            ("SELF startsWith 'a'", "such as BEGINSWITH,"), ("SELF REGEXP 'a'", "such as LIKE,"),
            ("SELF MATCH 'a'", "such as LIKE,"), ("SELF BEGINSWITH https://a", "a string needs quotation marks"),
            ("SELF IN ['a', 'b']", "write the elements of an aggregate between '{' and '}'"),
            ("SELF.and == 'a'", "found 'and' where a name (a keyword needs # before it) is expected"),
            ("SUBQUERY == 'a'", "where SELF, a string"), ("FETCH == 'a'", "where SELF, a string"),
            ("SELF contain 'a'", "such as CONTAINS,"), ("SELF likes 'a'", "such as LIKE,"),
            ("SELF nothing 'a'", "such as ==, BEGINSWITH or LIKE,"),
            ("SELF NOT IN {'a'}", "NOT goes before a comparison"),
            ("SELF NOT == 'a'", "!= is an operator"),
            ("SELF == 'a' | SELF == 'b'", "found the arithmetic operator '|'"),
            ("SELF == 'a' | SELF == 'b'", "&& and || are accepted"),
            ("length", "found the key path 'length'"),
            ("SELF == \u{2018}a\u{2019}", "not in typographic quotation marks"),
            ("SELF ==\u{A0}'a'", "only ASCII white space"),
            ("SELF IN ('a', 'b')", "write the elements of an aggregate between '{' and '}'"),
            ("SELF == BLOCKPREDICATE(1) OR SELF 'a'", "found a string where an operator"),
        ]
    )
    func syntaxErrorSuggestsTheProbableMeaning(_ format: String, _ hint: String) throws {
        let error = try #require(throws: ContentPredicateError.self) { try ContentPredicate(format: format) }
        #expect(error.code == .syntax)
        #expect(error.message.contains(hint), "\(error.message)")
    }

    @Test(
        arguments: [
            ("SELF == document", #"the string "document" in quotation marks"#),
            ("SELF BETWEEN {'a'}", "an aggregate of 1"),
        ]
    )
    func otherErrorsSuggestTheProbableMeaning(_ format: String, _ hint: String) throws {
        let error = try #require(throws: ContentPredicateError.self) {
            try ContentPredicate(format: format).evaluate(with: "a")
        }
        #expect(error.message.contains(hint), "\(error.message)")
    }
}
