import PredicateFormat
import Testing

/// Comparisons with an operand that is not a string: `nil`, a number, a Boolean or an aggregate.
@Suite struct OperandRuleTests {
    private static let operators = [
        "==", "!=", "<", "<=", ">", ">=", "IN", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE",
    ]

    @Test(arguments: operators, ["nil", "NIL", "NULL", "null"])
    func nilEqualsOnlyItself(_ word: String, _ nothing: String) throws {
        let holds = try ContentPredicate(format: "\(nothing) \(word) \(nothing)").evaluate(with: "a")
        #expect(holds == ["==", "<=", ">="].contains(word))
    }

    @Test(arguments: operators, ["SELF", "'a'", "5", "0", "{'a'}", "{}", "{nil}"])
    func nilDiffersFromEverythingElseAndOtherComparisonsFail(_ word: String, _ other: String) throws {
        for format in ["nil \(word) \(other)", "\(other) \(word) nil"] {
            #expect(try ContentPredicate(format: format).evaluate(with: "a") == (word == "!="), "\(format)")
        }
    }

    @Test func nilIsNeitherBetweenBoundsNorABound() throws {
        #expect(try !ContentPredicate(format: "nil BETWEEN {'a', 'b'}").evaluate(with: "a"))
        #expect(try !ContentPredicate(format: "nil BETWEEN {'a'}").evaluate(with: "a"))
        #expect(try !ContentPredicate(format: "nil BETWEEN 5").evaluate(with: "a"))
        #expect(try !ContentPredicate(format: "SELF BETWEEN nil").evaluate(with: "a"))
        #expect(try ContentPredicate(format: "NOT SELF BETWEEN NIL").evaluate(with: "a"))
        #expect(try !ContentPredicate(format: "SELF BETWEEN {nil, 'b'}").evaluate(with: "a"))
        #expect(try !ContentPredicate(format: "SELF BETWEEN {'a', nil}").evaluate(with: "a"))
    }

    @Test(arguments: [
        ("1 == 1", true), ("1 == 1.0", true), ("1 == 2", false), ("1 != 2", true), ("1 < 2", true), ("2 < 1.5", false),
        ("-1 < 0", true), ("1.5 <= 1.5", true), ("2 > 1", true), ("10 > 9", true), ("1 >= 1", true),
        ("0.5 >= 1", false),
        ("5 BETWEEN {1, 9}", true), ("5 BETWEEN {9, 1}", true), ("5 BETWEEN {5, 5}", true),
        ("5 BETWEEN {6, 9.5}", false),
        ("5 IN {1, 5}", true), ("5 IN {'5'}", false), ("{1, 5.0} CONTAINS 5", true), ("0x10 == 16", true),
    ])
    func numbersAreComparedByValue(_ format: String, _ holds: Bool) throws {
        #expect(try ContentPredicate(format: format).evaluate(with: "a") == holds)
    }

    /// Large integers and large floating-point numbers are compared without a loss of precision.
    @Test(arguments: [
        ("9223372036854775807 < 9223372036854775808", true), ("9223372036854775808 > 9223372036854775807", true),
        ("9223372036854775807 >= 9223372036854775808", false), ("9223372036854775807 == 9223372036854775808", false),
        ("9007199254740993 > 9007199254740992", true), ("9223372036854775807 < 1e300", true),
        ("-9223372036854775808 > -1e300", true),
    ])
    func largeNumbersAreComparedExactly(_ format: String, _ holds: Bool) throws {
        #expect(try ContentPredicate(format: format).evaluate(with: "a") == holds)
    }

    @Test(arguments: [
        ("TRUE == 1", true), ("YES == TRUE", true), ("FALSE == 0", true), ("NO == false", true), ("TRUE > FALSE", true),
        ("TRUE == 2", false), ("SELF == TRUE", false), ("SELF != YES", true), ("TRUE IN {1}", true),
    ])
    func booleansAreTheNumbersOneAndZero(_ format: String, _ holds: Bool) throws {
        #expect(try ContentPredicate(format: format).evaluate(with: "1") == holds)
    }

    @Test(arguments: [("TRUE", "1"), ("yes", "1"), ("False", "0"), ("NO", "0"), ("NULL", "nil"), ("Nil", "nil")])
    func constantKeywordsPrintAsTheirValues(_ word: String, _ canonical: String) throws {
        #expect(try ContentPredicate(format: "SELF == \(word)").description == "SELF == \(canonical)")
    }

    @Test(arguments: ["5", "0.5", "TRUE", "{'5'}", "{}"])
    func nonStringDiffersFromEveryString(_ operand: String) throws {
        for (left, right) in [("SELF", operand), (operand, "SELF"), ("'5'", operand)] {
            #expect(try !ContentPredicate(format: "\(left) == \(right)").evaluate(with: "5"))
            #expect(try ContentPredicate(format: "\(left) != \(right)").evaluate(with: "5"))
            #expect(try !ContentPredicate(format: "\(left) ==[cd] \(right)").evaluate(with: "5"))
        }
    }

    @Test(arguments: [
        ("{'a', 5} == {'a', 5}", true), ("{'a', 5} == {'a'}", false), ("{'a'} == {'b'}", false), ("{} == {}", true),
        ("{SELF} == {'a'}", true), ("{SELF, nil} == {'b', nil}", false), ("{'A'} ==[c] {'a'}", false),
        ("{'a'} != {'b'}", true),
        ("{{'a'}, {}} == {{SELF}, {}}", true), ("{'a'} IN {{'b'}, {SELF}}", true), ("{{1}} CONTAINS {1.0}", true),
        ("{{1}} CONTAINS 1", false),
    ])
    func aggregatesAreEqualIfAllElementsAre(_ format: String, _ holds: Bool) throws {
        #expect(try ContentPredicate(format: format).evaluate(with: "a") == holds)
    }
}
