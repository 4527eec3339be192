import PredicateFormat
import Testing
import WaypostSchema
import WaypostTestSupport

/// Predicates built without a format, compared with the predicates that their canonical forms spell.
@Suite struct BuilderTests {
    private static let cases: [(predicate: ContentPredicate, canonical: String)] = [
        (.equals("a\"b"), "SELF == \"a\\\"b\""),
        (.equals("a", .caseInsensitive), "SELF ==[c] \"a\""),
        (.beginsWith("a"), "SELF BEGINSWITH \"a\""),
        (.beginsWith("a", [.caseInsensitive, .diacriticInsensitive]), "SELF BEGINSWITH[cd] \"a\""),
        (.endsWith("a", .normalized), "SELF ENDSWITH[n] \"a\""),
        (.contains("", .diacriticInsensitive), "SELF CONTAINS[d] \"\""),
        (.like("a\\*?"), "SELF LIKE \"a\\\\*?\""),
        (.in(["b", "a", "b"]), "SELF IN {\"b\", \"a\", \"b\"}"),
        (.in([]), "SELF IN {}"),
        (.between("a"..."b"), "SELF BETWEEN {\"a\", \"b\"}"),
        (.any(of: []), "FALSEPREDICATE"),
        (.all(of: []), "TRUEPREDICATE"),
        (.any(of: [.equals("a")]), "SELF == \"a\""),
        (.all(of: [.equals("a") || .equals("b")]), "SELF == \"a\" OR SELF == \"b\""),
        (.any(of: [.equals("a"), .equals("b"), .equals("c")]), "SELF == \"a\" OR SELF == \"b\" OR SELF == \"c\""),
        (.all(of: [.equals("a"), .any(of: [])]), "SELF == \"a\" AND FALSEPREDICATE"),
        (.any(of: [.equals("a"), .equals("b") || .equals("c")]), "SELF == \"a\" OR (SELF == \"b\" OR SELF == \"c\")"),
        (.not(.equals("a")), "NOT SELF == \"a\""),
        (!(!.equals("a")), "NOT (NOT SELF == \"a\")"),
        (!(.equals("a") && .equals("b")), "NOT (SELF == \"a\" AND SELF == \"b\")"),
        (.equals("a") && .equals("b") && .equals("c"), "SELF == \"a\" AND SELF == \"b\" AND SELF == \"c\""),
        (.equals("a") || .equals("b") || .equals("c"), "SELF == \"a\" OR SELF == \"b\" OR SELF == \"c\""),
        (.equals("a") || .equals("b") && .equals("c"), "SELF == \"a\" OR (SELF == \"b\" AND SELF == \"c\")"),
        (.equals("a") && !.equals("b") || .equals("c"), "(SELF == \"a\" AND (NOT SELF == \"b\")) OR SELF == \"c\""),
        (
            (.equals("a") || .equals("b") && .equals("x")) || .equals("c"),
            "SELF == \"a\" OR (SELF == \"b\" AND SELF == \"x\") OR SELF == \"c\""
        ),
        (.equals("a") && (.equals("b") && .equals("c")), "SELF == \"a\" AND (SELF == \"b\" AND SELF == \"c\")"),
    ]

    @Test(.proves("T62"), arguments: cases.indices)
    func builtPredicateEqualsItsParsedText(index: Int) throws {
        let (predicate, canonical) = Self.cases[index]
        #expect(predicate.description == canonical)
        let read = try ContentPredicate(format: canonical)
        #expect(read == predicate)
        #expect(read.hashValue == predicate.hashValue)
        for value in ["", "a", "b", "c", "ab", "a*x", "A"] {
            #expect(try read.evaluate(with: value) == predicate.evaluate(with: value), "\(canonical) on \(value)")
        }
    }

    @Test func builtPredicateSelectsTheExpectedValues() throws {
        let predicate = ContentPredicate.beginsWith("clowns/") && !.endsWith("/shoes") || .in(["hats", "noses"])
        let values = ["clowns/crusty", "clowns/crusty/shoes", "hats", "noses", "other"]
        #expect(try values.filter(predicate.evaluate) == ["clowns/crusty", "hats", "noses"])
    }

    @Test func rightSideOfABuiltPredicateIsEvaluatedOnlyIfNeeded() throws {
        let error = try ContentPredicate(format: "SELF < 5")
        #expect(try (.equals("a") || error).evaluate(with: "a"))
        #expect(try !(.equals("a") && error).evaluate(with: "b"))
        #expect(throws: ContentPredicateError.self) { try (error || .equals("a")).evaluate(with: "a") }
    }

    /// The error's offset is in the canonical form, because there is no other text.
    @Test func errorOfABuiltComparisonIsAtItsOperator() throws {
        let error = try #require(throws: ContentPredicateError.self) {
            try ContentPredicate.like("a\\").evaluate(with: "a")
        }
        #expect(error.code == .evaluation)
        #expect(error.offset == 5)
    }

    @Test func longChainIsOneNestingLevel() throws {
        let chain = (0..<60).reduce(ContentPredicate(value: false)) { $0 || .equals("\($1)") }
        #expect(!chain.description.contains("("))
        #expect(try chain.evaluate(with: "59"))
        let long = ContentPredicate.any(of: (0..<2_000).map { .equals("document-\($0)") })
        #expect(try long.evaluate(with: "document-1999"))
        #expect(try !long.evaluate(with: "document-2000"))
    }

    @Test func deepestNestingIsBuiltAndOneMoreLevelFails() async throws {
        let deepest = (0..<256).reduce(ContentPredicate.equals("a")) { predicate, _ in !predicate }
        #expect(try deepest.evaluate(with: "a"))
        #expect(try ContentPredicate(format: deepest.description) == deepest)
        await #expect(processExitsWith: .failure) {
            _ = (0..<257).reduce(ContentPredicate.equals("a")) { predicate, _ in !predicate }
        }
    }

    @Test func nestingInAChainOfTheSameOperatorAddsNoLevel() throws {
        let nested = (0..<300).reduce(ContentPredicate.equals("a")) { .any(of: [$0, .equals("b\($1)")]) }
        #expect(try nested.evaluate(with: "a"))
        #expect(try ContentPredicate(format: nested.description) == nested)
    }
}
