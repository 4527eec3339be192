import PredicateFormat
import Testing

/// Predicates for the sets of `handlesExternalEvents`.
@Suite struct ExternalEventTests {
    @Test(arguments: [
        ("clowns", true), ("https://clowntown.example/clowns/1", true), ("CLOWNS", true), ("cl\u{F6}wns", true),
        ("clown", false),
        ("caf\u{E9}", true), ("CAFE\u{301}", true), ("", false),
    ])
    func searchIgnoresCaseAndDiacritics(_ value: String, _ isMatched: Bool) throws {
        let predicate = ContentPredicate.externalEvents(matching: ["clowns", "cafe"])
        #expect(try predicate.evaluate(with: value) == isMatched)
    }

    @Test(arguments: [["*"], ["*", "clowns"], ["*", ""]] as [Set<String>])
    func asteriskAloneMatchesAnything(_ texts: Set<String>) throws {
        let predicate = ContentPredicate.externalEvents(matching: texts)
        #expect(predicate == ContentPredicate(value: true))
        #expect(try predicate.evaluate(with: ""))
    }

    @Test(arguments: [[], [""]] as [Set<String>])
    func emptyTextsMatchNothing(_ texts: Set<String>) throws {
        let predicate = ContentPredicate.externalEvents(matching: texts)
        #expect(predicate == ContentPredicate(value: false))
        #expect(try !predicate.evaluate(with: ""))
    }

    @Test func asteriskInsideATextIsLiteral() throws {
        let predicate = ContentPredicate.externalEvents(matching: ["a*"])
        #expect(try predicate.evaluate(with: "xA*y"))
        #expect(try !predicate.evaluate(with: "ab"))
    }

    @Test func externalEventsAreSortedAndWithoutEmptyTexts() throws {
        let predicate = ContentPredicate.externalEvents(matching: ["b", "a", ""])
        #expect(predicate.description == "SELF CONTAINS[cd] \"a\" OR SELF CONTAINS[cd] \"b\"")
        #expect(try ContentPredicate(format: predicate.description) == predicate)
    }
}
