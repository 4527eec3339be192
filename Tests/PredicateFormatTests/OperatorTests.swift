import PredicateFormat
import Testing

/// Every operator on strings: its spellings, its printed form and its meaning.
@Suite struct OperatorTests {
    struct Case: CustomTestStringConvertible {
        var comparison: String
        var value: String
        var holds: Bool
        var testDescription: String { "\(comparison) on \(value)" }
    }

    @Test(arguments: [
        ("=", "=="), ("==", "=="), ("!=", "!="), ("<>", "!="), ("<", "<"), ("<=", "<="), ("=<", "<="), (">", ">"),
        (">=", ">="), ("=>", ">="), ("IN", "IN"), ("CONTAINS", "CONTAINS"), ("BEGINSWITH", "BEGINSWITH"),
        ("ENDSWITH", "ENDSWITH"), ("LIKE", "LIKE"), ("in", "IN"), ("Contains", "CONTAINS"),
        ("beginsWith", "BEGINSWITH"),
        ("endswith", "ENDSWITH"), ("like", "LIKE"),
    ])
    func everySpellingPrintsTheSame(_ spelling: String, _ canonical: String) throws {
        for (left, right) in [("SELF", "\"a\""), ("\"a\"", "SELF"), ("\"a\"", "\"b\""), ("SELF", "SELF")] {
            let predicate = try ContentPredicate(format: "\(left) \(spelling) \(right)")
            #expect(predicate.description == "\(left) \(canonical) \(right)")
        }
        #expect(try ContentPredicate(format: "SELF \(spelling) [CD] 'a'").description == "SELF \(canonical)[cd] \"a\"")
    }

    @Test(arguments: ["BETWEEN", "between", "Between"])
    func betweenPrintsInUpperCase(_ spelling: String) throws {
        let predicate = try ContentPredicate(format: "SELF \(spelling){'a','b'}")
        #expect(predicate.description == "SELF BETWEEN {\"a\", \"b\"}")
    }

    @Test(arguments: [
        ("[c]", "[c]"), ("[d]", "[d]"), ("[n]", "[n]"), ("[cd]", "[cd]"), ("[dc]", "[cd]"), ("[DC]", "[cd]"),
        ("[ncd]", "[cdn]"),
        ("[nC]", "[cn]"), ("[cc]", "[c]"), (" [c]", "[c]"), ("\t[ d\n]", "[d]"),
    ])
    func optionsPrintInAFixedOrder(_ spelling: String, _ canonical: String) throws {
        for word in ["==", "!=", "<", "<=", ">", ">=", "IN", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE"] {
            let predicate = try ContentPredicate(format: "SELF \(word)\(spelling) 'a'")
            #expect(predicate.description == "SELF \(word)\(canonical) \"a\"")
        }
    }

    @Test(arguments: [
        Case(comparison: "SELF == 'a'", value: "a", holds: true),
        Case(comparison: "SELF == 'a'", value: "A", holds: false),
        Case(comparison: "SELF != 'a'", value: "a", holds: false),
        Case(comparison: "SELF != 'a'", value: "A", holds: true),
        Case(comparison: "SELF < 'b'", value: "a", holds: true),
        Case(comparison: "SELF < 'b'", value: "b", holds: false),
        Case(comparison: "SELF < 'b'", value: "B", holds: true),
        Case(comparison: "SELF < 'ab'", value: "a", holds: true),
        Case(comparison: "SELF < '9'", value: "10", holds: true),
        Case(comparison: "SELF <= 'b'", value: "b", holds: true),
        Case(comparison: "SELF <= 'b'", value: "c", holds: false),
        Case(comparison: "SELF > 'b'", value: "b", holds: false),
        Case(comparison: "SELF > 'b'", value: "ba", holds: true),
        Case(comparison: "SELF >= 'b'", value: "b", holds: true),
        Case(comparison: "SELF >= 'b'", value: "a", holds: false),
        Case(comparison: "SELF BETWEEN {'b', 'd'}", value: "b", holds: true),
        Case(comparison: "SELF BETWEEN {'b', 'd'}", value: "d", holds: true),
        Case(comparison: "SELF BETWEEN {'b', 'd'}", value: "da", holds: false),
        Case(comparison: "SELF BETWEEN {'b', 'd'}", value: "a", holds: false),
        Case(comparison: "SELF BETWEEN {'d', 'b'}", value: "c", holds: true),
        Case(comparison: "SELF IN {'a', 'b'}", value: "b", holds: true),
        Case(comparison: "SELF IN {'a', 'b'}", value: "c", holds: false),
        Case(comparison: "SELF IN {}", value: "", holds: false),
        Case(comparison: "SELF IN {'a', 5, nil}", value: "a", holds: true),
        Case(comparison: "SELF IN 'abc'", value: "bc", holds: true),
        Case(comparison: "SELF IN 'abc'", value: "ac", holds: false),
        Case(comparison: "SELF IN 'abc'", value: "", holds: false),
        Case(comparison: "SELF CONTAINS 'bc'", value: "abcd", holds: true),
        Case(comparison: "SELF CONTAINS 'bd'", value: "abcd", holds: false),
        Case(comparison: "SELF CONTAINS 'aab'", value: "aaab", holds: true),
        Case(comparison: "SELF CONTAINS ''", value: "a", holds: false),
        Case(comparison: "SELF ENDSWITH 'cd'", value: "abcd", holds: true),
        Case(comparison: "SELF ENDSWITH 'abcd'", value: "cd", holds: false),
        Case(comparison: "SELF ENDSWITH ''", value: "", holds: false),
    ])
    func operatorHasItsMeaning(_ example: Case) throws {
        try expectAnswer(example)
    }

    @Test(arguments: [
        Case(comparison: "SELF ==[c] 'CRUSTY'", value: "crusty", holds: true),
        Case(comparison: "SELF ==[c] 'strasse'", value: "stra\u{DF}e", holds: true),
        Case(comparison: "SELF ==[c] 'K'", value: "\u{212A}", holds: true),
        Case(comparison: "SELF ==[c] 'abc'", value: "\u{FF21}\u{FF22}\u{FF23}", holds: true),
        Case(comparison: "SELF ==[c] 'cafe'", value: "caf\u{E9}", holds: false),
        Case(comparison: "SELF ==[d] 'cafe'", value: "caf\u{E9}", holds: true),
        Case(comparison: "SELF ==[d] 'Cafe'", value: "caf\u{E9}", holds: false),
        Case(comparison: "SELF ==[cd] 'CAFE'", value: "caf\u{E9}", holds: true),
        Case(comparison: "SELF !=[cd] 'CAFE'", value: "caf\u{E9}", holds: false),
        Case(comparison: "SELF <[c] 'B'", value: "a", holds: true),
        Case(comparison: "SELF <=[c] 'A'", value: "a", holds: true),
        Case(comparison: "SELF BEGINSWITH[cd] 'CAFE'", value: "caf\u{E9} au lait", holds: true),
        Case(comparison: "SELF ENDSWITH[d] 'cafe'", value: "un caf\u{E9}", holds: true),
        Case(comparison: "SELF CONTAINS[c] 'B'", value: "abc", holds: true),
        Case(comparison: "SELF IN[c] 'ABC'", value: "b", holds: true),
        Case(comparison: "SELF ==[n] 'a'", value: "a", holds: true),
        Case(comparison: "SELF ==[cn] 'A'", value: "a", holds: false),
        Case(comparison: "SELF BEGINSWITH[n] 'e'", value: "e\u{301}", holds: true),
        Case(comparison: "SELF BEGINSWITH 'e'", value: "e\u{301}", holds: false),
        Case(comparison: "SELF <=[n] 'e\u{301}'", value: "\u{E9}", holds: false),
        Case(comparison: "SELF <= 'e\u{301}'", value: "\u{E9}", holds: true),
    ])
    func optionsChangeTheComparison(_ example: Case) throws {
        try expectAnswer(example)
    }

    /// Foundation on Linux also finds U+0000 after the end of a non-ASCII text.
    @Test(
        arguments: ["", "a", "\u{E9}"],
        ["BEGINSWITH", "ENDSWITH", "CONTAINS", "CONTAINS[c]", "LIKE", "==", "==[cd]"]
    )
    func nullCharacterIsFoundOnlyIfPresent(_ text: String, _ word: String) throws {
        let predicate = try ContentPredicate(format: "SELF \(word) '\(text)\\000'")
        #expect(try !predicate.evaluate(with: text))
        #expect(try predicate.evaluate(with: "\(text)\u{0}"))
    }

    /// An aggregate contains a value if the value equals an element.
    ///
    /// Options have no effect.
    @Test(arguments: ["c", "d", "cd", "n"])
    func optionsChangeNothingInAnAggregate(_ letters: String) throws {
        #expect(try !ContentPredicate(format: "SELF IN[\(letters)] {'A', '\u{E9}'}").evaluate(with: "a"))
        #expect(try !ContentPredicate(format: "SELF IN[\(letters)] {'A', '\u{E9}'}").evaluate(with: "e"))
        #expect(try ContentPredicate(format: "SELF IN[\(letters)] {'A', '\u{E9}'}").evaluate(with: "A"))
        #expect(try !ContentPredicate(format: "{'A'} CONTAINS[\(letters)] SELF").evaluate(with: "a"))
    }

    @Test(arguments: [
        Case(comparison: "'a' == SELF", value: "a", holds: true),
        Case(comparison: "'b' > SELF", value: "a", holds: true),
        Case(comparison: "'b' <= SELF", value: "a", holds: false),
        Case(comparison: "'crusty' BEGINSWITH SELF", value: "cru", holds: true),
        Case(comparison: "'crusty' BEGINSWITH SELF", value: "", holds: false),
        Case(comparison: "'crusty' ENDSWITH[c] SELF", value: "TY", holds: true),
        Case(comparison: "'crusty' CONTAINS SELF", value: "ust", holds: true),
        Case(comparison: "{'a', 'b'} CONTAINS SELF", value: "b", holds: true),
        Case(comparison: "'rust' IN SELF", value: "crusty", holds: true),
        Case(comparison: "'b' BETWEEN {SELF, 'c'}", value: "a", holds: true),
        Case(comparison: "'a' IN {'b', SELF}", value: "a", holds: true),
        Case(comparison: "SELF == SELF", value: "caf\u{E9}", holds: true),
        Case(comparison: "SELF != SELF", value: "a", holds: false),
        Case(comparison: "SELF < SELF", value: "a", holds: false),
        Case(comparison: "SELF BEGINSWITH SELF", value: "a", holds: true),
        Case(comparison: "SELF CONTAINS SELF", value: "", holds: false),
        Case(comparison: "SELF IN {SELF}", value: "", holds: true),
        Case(comparison: "'crusty' ENDSWITH 'ty'", value: "", holds: true),
        Case(comparison: "'crusty' ==[c] 'CRUST'", value: "", holds: false),
    ])
    func selfAndConstantsMayBeOnEitherSide(_ example: Case) throws {
        try expectAnswer(example)
    }

    private func expectAnswer(_ example: Case) throws {
        #expect(try ContentPredicate(format: example.comparison).evaluate(with: example.value) == example.holds)
    }
}
