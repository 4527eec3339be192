import PredicateFormat
import Testing
import WaypostSchema
import WaypostTestSupport

/// The restrictions of activation conditions: no block, no regular expression, no key path except `SELF`, and nothing
/// that only an app could evaluate.
@Suite struct ForbiddenConstructTests {
    struct Case: CustomTestStringConvertible {
        var format: String
        var offset: Int

        /// The construct as the message names it.
        var found: String
        var testDescription: String { format }
    }

    @Test(
        .proves("T51", "T53"),
        arguments: [
            Case(format: "SELF MATCHES '.*'", offset: 5, found: "found MATCHES, a regular expression"),
            Case(format: "self matches '.*'", offset: 5, found: "found MATCHES"),
            Case(format: "SELF MATCHES[cd] '.*'", offset: 5, found: "found MATCHES"),
            Case(format: "SELF == 'a' AND SELF MATCHES 'b'", offset: 21, found: "found MATCHES"),
            Case(format: "NOT (SELF MATCHES 'b')", offset: 10, found: "found MATCHES"),
            Case(format: "'a' MATCHES SELF", offset: 4, found: "found MATCHES"),
        ]
    )
    func regularExpressionIsForbiddenAndLikeIsSuggested(_ example: Case) throws {
        try expectRefusal(example, accepted: "LIKE")
    }

    @Test(arguments: [
        Case(format: "length == 5", offset: 0, found: "found the key path 'length'"),
        Case(format: "name BEGINSWITH 'a'", offset: 0, found: "found the key path 'name'"),
        Case(format: "#like == 'a'", offset: 0, found: "found the key path '#like'"),
        Case(format: "NOT (title BEGINSWITH 'a')", offset: 5, found: "found the key path 'title'"),
        Case(format: "SELF == name", offset: 8, found: "found the key path 'name'"),
        Case(format: "SELF BEGINSWITH a", offset: 16, found: "found the key path 'a'"),
        Case(format: "SELF IN {'a', b}", offset: 14, found: "found the key path 'b'"),
        Case(format: "BLOCKPREDICATE == 'a'", offset: 0, found: "found the key path 'BLOCKPREDICATE'"),
    ])
    func wordIsForbiddenAsAKeyPathAndQuotationMarksAreSuggested(_ example: Case) throws {
        try expectRefusal(example, accepted: "in quotation marks")
    }

    @Test(arguments: [
        Case(format: "SELF.length == 5", offset: 0, found: "found the key path 'SELF.length'"),
        Case(format: "self.length == 5", offset: 0, found: "found the key path 'self.length'"),
        Case(format: "SELF.self == 'a'", offset: 0, found: "found the key path 'SELF.self'"),
        Case(format: "SELF.@count == 1", offset: 0, found: "found the key path 'SELF.@count'"),
        Case(format: "@count == 1", offset: 0, found: "found the key path '@count'"),
        Case(format: "'a' == SELF.name.first", offset: 7, found: "found the key path 'SELF.name.first'"),
        Case(format: "SELF == name.first.last", offset: 8, found: "found the key path 'name.first.last'"),
        Case(format: "(SELF).length == 3", offset: 0, found: "found the key path '(SELF).length'"),
        Case(format: "'a'.length == 3", offset: 0, found: "found the key path ''a'.length'"),
    ])
    func keyPathWithSeveralStepsIsForbiddenAtItsStart(_ example: Case) throws {
        try expectRefusal(example, accepted: "SELF is accepted")
    }

    @Test(arguments: [
        Case(format: "SELF[0] == 'a'", offset: 4, found: "found an element of SELF"),
        Case(format: "SELF[FIRST] == 'a'", offset: 4, found: "found an element of SELF"),
        Case(format: "SELF [ last ] == 'a'", offset: 5, found: "found an element of SELF:"),
        Case(format: "{'a', 'b'}[SIZE] == 2", offset: 10, found: "found an element of {'a', 'b'}"),
    ])
    func elementIsForbidden(_ example: Case) throws {
        try expectRefusal(example, accepted: "SELF")
    }

    @Test(arguments: [
        Case(format: "FUNCTION(SELF,'length') == 5", offset: 0, found: "the function FUNCTION(SELF,'length')"),
        Case(format: "FUNCTION(SELF, 'uppercaseString') == 'A'", offset: 0, found: "FUNCTION(SELF, 'uppercaseString')"),
        Case(format: "SELF == FUNCTION('a', 'uppercaseString')", offset: 8, found: "FUNCTION('a', 'uppercaseString')"),
        Case(
            format: "SUBQUERY(SELF, $x, $x == 'a').@count > 0",
            offset: 0,
            found: "the function SUBQUERY(SELF, $x, $x == 'a')"
        ),
        Case(format: "CAST(SELF, 'NSNumber') == 3", offset: 0, found: "the function CAST(SELF, 'NSNumber')"),
        Case(format: "TERNARY(TRUEPREDICATE, 'a', 'b') == SELF", offset: 0, found: "the function TERNARY("),
        Case(format: "uppercase(SELF) == 'A'", offset: 0, found: "the function uppercase(SELF)"),
        Case(format: "SELF == add:to:(1, 2)", offset: 8, found: "the function add:to:(1, 2)"),
        Case(format: "SELF == now()", offset: 8, found: "the function now()"),
        Case(format: "BLOCKPREDICATE(0x2) == 'a'", offset: 0, found: "found BLOCKPREDICATE, which represents code"),
    ])
    func functionIsForbidden(_ example: Case) throws {
        try expectRefusal(example, accepted: "SELF compared with a constant is accepted")
    }

    /// A block is a predicate without an operator, as the platform prints it.
    @Test(
        .proves("T49"),
        arguments: [
            Case(format: "BLOCKPREDICATE(0x10f3c2d10)", offset: 0, found: "found BLOCKPREDICATE"),
            Case(format: "blockPredicate(0x1)", offset: 0, found: "found BLOCKPREDICATE"),
            Case(format: "SELF == 'a' AND BLOCKPREDICATE(0x2)", offset: 16, found: "found BLOCKPREDICATE"),
            Case(format: "BLOCKPREDICATE(0x2) OR SELF == 'a'", offset: 0, found: "found BLOCKPREDICATE"),
            Case(format: "NOT (BLOCKPREDICATE(0x2))", offset: 5, found: "found BLOCKPREDICATE"),
            Case(format: "((BLOCKPREDICATE(0x2)) AND SELF == 'a')", offset: 2, found: "found BLOCKPREDICATE"),
            Case(format: "SELF == BLOCKPREDICATE(0x2)", offset: 8, found: "found BLOCKPREDICATE"),
        ]
    )
    func blockIsForbiddenByName(_ example: Case) throws {
        try expectRefusal(example, accepted: "a block cannot leave its app; SELF compared with a constant is accepted")
    }

    /// Anything else without an operator is a syntax error, also if a block is in it.
    @Test(
        arguments: [
            "BLOCKPREDICATE(0x2) + 1", "BLOCKPREDICATE(0x2).x", "{BLOCKPREDICATE(0x2)}", "-BLOCKPREDICATE(0x2)",
        ]
    )
    func operandWithABlockIsNoPredicate(_ format: String) throws {
        let error = try #require(throws: ContentPredicateError.self) { try ContentPredicate(format: format) }
        #expect(error.code == .syntax)
    }

    @Test(
        .proves("T49", "T51", "T55", "T65"),
        arguments: [
            ("BLOCKPREDICATE(0x1)", "code cannot leave its app"),
            ("FUNCTION(SELF, 'length') == 5", "code cannot leave its app"),
            ("SELF MATCHES '.*'", "its evaluation may take unlimited time"),
            ("length == 5", "conditions compare the content itself"),
            ("SELF.length == 5", "conditions compare the content itself"),
        ]
    )
    func messageSaysThatTheRestrictionIsApplesAndWhy(_ format: String, _ reason: String) throws {
        let error = try #require(throws: ContentPredicateError.self) { try ContentPredicate(format: format) }
        #expect(error.message.contains("(Apple's restriction: \(reason)"), "\(error.message)")
    }

    @Test(
        arguments: [
            ("1 + 1 == 2", "a computation is a function in another form"),
            ("-SELF == 'a'", "a computation is a function in another form"),
            ("ANY SELF == 'a'", "a qualifier needs a collection"),
            ("SELF[0] == 'a'", "SELF is one string, without elements"),
            ("lowercase:(SELF) == 'a'", "a condition only compares"),
            ("CAST(SELF, 'NSNumber') == 3", "a condition only compares"),
            ("SELF == $x", "nothing gives a variable its value"),
            ("SELF == ($x := 'a')", "nothing gives a variable its value"),
            ("SELF UTI-EQUALS 'public.text'", "the device has no registry"),
            ("SELF ==[l] 'a'", "the app's locale cannot leave its app"),
            ("SELF ==[w] 'a'", "its meaning is not documented"),
            ("SELF == %@", "a condition is packaged with its arguments"),
        ]
    )
    func messageSaysThatTheRestrictionIsOursAndWhy(_ format: String, _ reason: String) throws {
        let error = try #require(throws: ContentPredicateError.self) { try ContentPredicate(format: format) }
        #expect(error.message.contains("(Waypost's restriction, not Apple's: "), "\(error.message)")
        #expect(error.message.contains(reason), "\(error.message)")
    }

    @Test(arguments: ["ANY", "SOME", "ALL", "NONE", "any"])
    func aggregateQualifierIsForbidden(_ qualifier: String) throws {
        let found = "found the aggregate qualifier \(qualifier.uppercased())"
        try expectRefusal(Case(format: "\(qualifier) SELF == 'a'", offset: 0, found: found), accepted: "IN {…}")
    }

    @Test(arguments: [
        Case(format: "SELF == $variable", offset: 8, found: "found the variable '$variable'"),
        Case(format: "$variable == 'a'", offset: 0, found: "found the variable '$variable'"),
        Case(format: "NOT SELF BEGINSWITH $x", offset: 20, found: "found the variable '$x'"),
        Case(format: "$x := 5 == 5", offset: 0, found: "found an assignment to '$x'"),
        Case(format: "SELF == ($x := 'a')", offset: 9, found: "found an assignment to '$x'"),
    ])
    func variableIsForbidden(_ example: Case) throws {
        try expectRefusal(example, accepted: "a constant is accepted")
    }

    @Test(arguments: ["+", "-", "*", "/", "**", "&", "|", "^", "<<", ">>"])
    func arithmeticIsForbidden(_ sign: String) throws {
        let found = "found the arithmetic operator '\(sign)'"
        try expectRefusal(
            Case(format: "SELF \(sign) 1 == 2", offset: 5, found: found),
            accepted: "between comparisons, && and || are accepted"
        )
        try expectRefusal(
            Case(format: "SELF == 1\(sign)1", offset: 9, found: found),
            accepted: "between comparisons, && and || are accepted"
        )
    }

    @Test(arguments: ["-SELF", "~5", "--5", "- 'a'"])
    func signBeforeANonNumberIsForbidden(_ operand: String) throws {
        let found = "found the arithmetic operator '\(operand.prefix(1))'"
        try expectRefusal(
            Case(format: "SELF == \(operand)", offset: 8, found: found),
            accepted: "between comparisons, && and || are accepted"
        )
    }

    @Test(arguments: ["UTI-CONFORMS-TO", "UTI-EQUALS"])
    func typeIdentifierOperatorIsForbidden(_ word: String) throws {
        for spelling in [word, word.lowercased()] {
            let format = "SELF \(spelling) 'public.text'"
            try expectRefusal(Case(format: format, offset: 5, found: "found \(word)"), accepted: "== or IN")
        }
    }

    @Test(arguments: [
        Case(format: "SELF ==[l] 'a'", offset: 8, found: "found the option 'l'"),
        Case(format: "SELF <=[L] 'a'", offset: 8, found: "found the option 'l'"),
        Case(format: "SELF LIKE [cdl] 'a'", offset: 13, found: "found the option 'l'"),
        Case(format: "SELF CONTAINS[w] 'a'", offset: 14, found: "found the option 'w'"),
        Case(format: "SELF CONTAINS[cwl] 'a'", offset: 15, found: "found the option 'w'"),
    ])
    func optionThatNeedsTheAppIsForbiddenByName(_ example: Case) throws {
        try expectRefusal(example, accepted: "c, d and n are accepted")
    }

    /// If a format contains several forbidden constructs, the error names the first one in the format, in whatever
    /// order they were parsed.
    @Test(arguments: [
        Case(format: "SELF MATCHES $x AND length == 3", offset: 5, found: "MATCHES"),
        Case(format: "length MATCHES 'x'", offset: 0, found: "'length'"),
        Case(format: "SELF.length + 1 == $x", offset: 0, found: "'SELF.length'"),
        Case(format: "$x[0].name == 'a'", offset: 0, found: "'$x'"),
        Case(format: "f(g(SELF)) == $y", offset: 0, found: "f(g(SELF))"),
        Case(format: "ANY SELF MATCHES 'x'", offset: 0, found: "ANY"),
        Case(format: "SELF == 'a' OR SELF ==[l] name", offset: 23, found: "'l'"),
    ])
    func firstOfSeveralForbiddenConstructsIsNamed(_ example: Case) throws {
        try expectRefusal(example, accepted: "")
    }

    /// A format with a syntax error is not a predicate.
    ///
    /// The syntax error takes precedence over any forbidden construct.
    @Test(arguments: [
        ("SELF MATCHES 'x' AND", 20), ("length == 5)", 11), ("SELF ==[l] 'a' 'b'", 15), ("$x == 'a", 6),
        ("SELF.length == ?", 15), ("f(SELF) == g(", 13), ("ANY SELF == 'a' SELF", 16), ("SELF ==[lx] 'a'", 8),
    ])
    func syntaxErrorTakesPrecedence(_ format: String, _ offset: Int) throws {
        let error = try #require(throws: ContentPredicateError.self) { try ContentPredicate(format: format) }
        #expect(error.code == .syntax)
        #expect(error.offset == offset)
    }

    @Test(arguments: [
        Case(format: "SELF.length() > 3", offset: 0, found: "SELF.length()"),
        Case(format: "FETCH(SELF, $c, NO) == 1", offset: 0, found: "the function FETCH(SELF, $c, NO)"),
        Case(format: "FETCH (SELF) == 1", offset: 0, found: "the function FETCH (SELF)"),
        Case(format: "a.b(1).c == 'a'", offset: 0, found: "'a.b(1).c'"),
        Case(format: "SELF.#size == 1", offset: 0, found: "'SELF.#size'"),
    ])
    func callIsForbiddenInEverySpelling(_ example: Case) throws {
        try expectRefusal(example, accepted: "")
    }

    @Test func forbiddenWordsInsideAStringAreText() throws {
        #expect(try ContentPredicate(format: "SELF == 'MATCHES $x'").evaluate(with: "MATCHES $x"))
    }

    private func expectRefusal(_ example: Case, accepted: String) throws {
        let error = try #require(throws: ContentPredicateError.self) { try ContentPredicate(format: example.format) }
        #expect(error.code == .forbidden)
        #expect(error.offset == example.offset)
        #expect(error.message.contains(example.found))
        #expect(error.message.contains(accepted) || accepted.isEmpty)
    }
}
