import PredicateFormat
import Testing
import WaypostSchema

/// Comparisons between unsuitable operands: an error if the evaluation reaches them, and only then.
@Suite struct EvaluationErrorTests {
    struct Case: CustomTestStringConvertible {
        var comparison: String
        var offset: Int
        var found: String
        var testDescription: String { comparison }
    }

    private static let errors = [
        Case(comparison: "SELF < 5", offset: 5, found: "a string and the number 5 as operands of <, which needs"),
        Case(comparison: "SELF =< 5", offset: 5, found: "as operands of <=,"),
        Case(comparison: "SELF > TRUE", offset: 5, found: "the number 1 as operands of >,"),
        Case(comparison: "0.5 >=[cd] SELF", offset: 4, found: "the number 0.5 and a string as operands of >=,"),
        Case(comparison: "SELF < {'a'}", offset: 5, found: "a string and an aggregate of 1 as operands of <,"),
        Case(comparison: "{'a'} < {'b'}", offset: 6, found: "an aggregate of 1 and an aggregate of 1 as operands"),
        Case(
            comparison: "SELF BETWEEN 'a'",
            offset: 5,
            found: "as operands of BETWEEN, which needs an aggregate of exactly two"
        ),
        Case(comparison: "SELF BETWEEN {1, 2}", offset: 5, found: "a string and the number 1 as operands of BETWEEN"),
        Case(comparison: "SELF BETWEEN {}", offset: 5, found: "exactly two bounds"),
        Case(comparison: "SELF BETWEEN {'a'}", offset: 5, found: "exactly two bounds"),
        Case(comparison: "SELF BETWEEN {'a', 'b', 'c'}", offset: 5, found: "exactly two bounds"),
        Case(comparison: "SELF BETWEEN {1, 2}", offset: 5, found: "as operands of BETWEEN"),
        Case(comparison: "SELF BETWEEN {'z', 2}", offset: 5, found: "as operands of BETWEEN"),
        Case(comparison: "5 BETWEEN {1, 'a'}", offset: 2, found: "as operands of BETWEEN"),
        Case(comparison: "SELF IN 5", offset: 5, found: "as operands of IN, which needs a string or an aggregate"),
        Case(comparison: "5 IN 'a'", offset: 2, found: "as operands of IN"),
        Case(comparison: "{'a'} IN SELF", offset: 6, found: "as operands of IN"),
        Case(comparison: "5 CONTAINS SELF", offset: 2, found: "as operands of CONTAINS"),
        Case(comparison: "SELF CONTAINS 5", offset: 5, found: "as operands of CONTAINS"),
        Case(comparison: "SELF BEGINSWITH 5", offset: 5, found: "BEGINSWITH, which needs strings on both sides"),
        Case(comparison: "{'a'} ENDSWITH SELF", offset: 6, found: "as operands of ENDSWITH"),
        Case(comparison: "SELF LIKE 5", offset: 5, found: "as operands of LIKE"),
        Case(comparison: #"SELF LIKE 'a\\'"#, offset: 5, found: "a LIKE pattern that ends with a single backslash"),
        Case(comparison: #"'a' LIKE '\\'"#, offset: 4, found: "a LIKE pattern"),
    ]

    @Test(arguments: errors)
    func invalidComparisonIsAnErrorAtItsOperator(_ example: Case) throws {
        for (before, after) in [("", ""), ("NOT ", ""), ("(", ")"), ("SELF == '\u{E9}' OR ", " AND TRUEPREDICATE")] {
            let predicate = try ContentPredicate(format: before + example.comparison + after)
            let error = try #require(throws: ContentPredicateError.self) { try predicate.evaluate(with: "a") }
            #expect(error.code == .evaluation)
            #expect(error.offset == before.utf8.count + example.offset)
            #expect(error.message.hasPrefix("found "))
            #expect(error.message.contains(example.found))
            #expect(predicate.evaluation(with: "a").error == error)
        }
    }

    @Test(arguments: errors)
    func invalidComparisonThatIsNotReachedIsNotAnError(_ example: Case) throws {
        #expect(try ContentPredicate(format: "TRUEPREDICATE OR \(example.comparison)").evaluate(with: "a"))
        #expect(try !ContentPredicate(format: "FALSEPREDICATE AND \(example.comparison)").evaluate(with: "a"))
        #expect(try ContentPredicate(format: "SELF == 'a' OR \(example.comparison)").evaluate(with: "a"))
        #expect(try !ContentPredicate(format: "SELF == 'b' AND \(example.comparison)").evaluate(with: "a"))
        #expect(try ContentPredicate(format: "NOT (SELF != 'a' AND \(example.comparison))").evaluate(with: "a"))
    }

    @Test(arguments: [
        "SELF < 5 OR TRUEPREDICATE", "SELF < 5 AND FALSEPREDICATE", "NOT SELF < 5", "NOT NOT SELF < 5",
        "FALSEPREDICATE OR SELF < 5", "TRUEPREDICATE AND SELF < 5", "(SELF < 5 OR TRUEPREDICATE) AND FALSEPREDICATE",
        "NOT (FALSEPREDICATE OR SELF < 5)", "TRUEPREDICATE AND SELF < 5 OR TRUEPREDICATE",
    ])
    func errorIsNotOverriddenByOtherOperands(_ format: String) throws {
        let predicate = try ContentPredicate(format: format)
        let error = try #require(throws: ContentPredicateError.self) { try predicate.evaluate(with: "a") }
        #expect(error.code == .evaluation)
        #expect(!predicate.evaluation(with: "a").result)
    }

    /// If several comparisons fail, the error is that of the first one that the evaluation reaches.
    @Test(arguments: [
        ("SELF < 5 OR SELF > 6", 5), ("SELF == 'a' AND SELF < 5 AND SELF > 6", 21),
        ("FALSEPREDICATE AND SELF < 5 OR SELF > 6", 36),
    ])
    func firstErrorIsReported(_ format: String, _ offset: Int) throws {
        let predicate = try ContentPredicate(format: format)
        let error = try #require(throws: ContentPredicateError.self) { try predicate.evaluate(with: "a") }
        #expect(error.offset == offset)
    }

    @Test func offsetsDoNotAffectTheEqualityOfPredicates() throws {
        let predicate = try ContentPredicate(format: "SELF   < 5")
        #expect(try ContentPredicate(format: "SELF < 5") == predicate)
        let error = try #require(throws: ContentPredicateError.self) { try predicate.evaluate(with: "a") }
        #expect(error.offset == 7)
    }
}
