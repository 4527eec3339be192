import PredicateFormat
import Testing
import WaypostSchema

/// The restrictions of activation conditions: no block, no regular expression, no key path but `SELF`.
@Suite struct ForbiddenConstructTests {
    struct Case: CustomTestStringConvertible {
        var format: String
        var offset: Int
        var found: String
        var testDescription: String { format }
    }

    @Test(arguments: [
        Case(format: "SELF MATCHES '.*'", offset: 5, found: "MATCHES"),
        Case(format: "self matches '.*'", offset: 5, found: "MATCHES"),
        Case(format: "SELF MATCHES[cd] '.*'", offset: 5, found: "MATCHES"),
        Case(format: "SELF == 'a' AND SELF MATCHES 'b'", offset: 21, found: "MATCHES"),
        Case(format: "NOT (SELF MATCHES 'b')", offset: 10, found: "MATCHES"),
    ])
    func regularExpressionIsForbidden(_ example: Case) throws {
        try expectRefusal(example)
    }

    @Test(arguments: [
        Case(format: "BLOCKPREDICATE(0x10f3c2d10)", offset: 0, found: "block"),
        Case(format: "SELF == 'a' AND BLOCKPREDICATE(0x2)", offset: 16, found: "block"),
    ])
    func blockIsForbidden(_ example: Case) throws {
        try expectRefusal(example)
    }

    @Test(arguments: [
        Case(format: "length == 5", offset: 0, found: "'length' is read as a key path"),
        Case(format: "name BEGINSWITH 'a'", offset: 0, found: "'name' is read as a key path"),
        Case(format: "#like == 'a'", offset: 0, found: "'#like' is read as a key path"),
        Case(format: "caf\u{E9} == 'a'", offset: 0, found: "'caf\u{E9}' is read as a key path"),
        Case(format: "NOT (title BEGINSWITH 'a')", offset: 5, found: "'title' is read as a key path"),
        Case(format: "SELF == name", offset: 8, found: "'name' is read as a key path"),
        Case(format: "SELF BEGINSWITH a", offset: 16, found: "'a' is read as a key path"),
        Case(format: "SELF.length == 5", offset: 4, found: "no key path but SELF"),
        Case(format: "self.length == 5", offset: 4, found: "no key path but SELF"),
        Case(format: "SELF.self == 'a'", offset: 4, found: "no key path but SELF"),
        Case(format: "SELF.@count == 1", offset: 4, found: "no key path but SELF"),
    ])
    func keyPathButSelfIsForbidden(_ example: Case) throws {
        try expectRefusal(example)
    }

    @Test(arguments: [
        Case(format: "FUNCTION(SELF, 'uppercaseString') == 'A'", offset: 0, found: "FUNCTION"),
        Case(format: "SELF == FUNCTION('a', 'uppercaseString')", offset: 8, found: "FUNCTION"),
        Case(format: "SUBQUERY(SELF, $x, $x == 'a').@count > 0", offset: 0, found: "SUBQUERY"),
        Case(format: "CAST(SELF, 'NSNumber') == 3", offset: 0, found: "CAST"),
        Case(format: "TERNARY(TRUEPREDICATE, 'a', 'b') == SELF", offset: 0, found: "TERNARY"),
    ])
    func functionIsForbidden(_ example: Case) throws {
        try expectRefusal(example)
    }

    @Test(arguments: ["ANY", "SOME", "ALL", "NONE", "any"])
    func aggregateQualifierIsForbidden(_ qualifier: String) throws {
        try expectRefusal(Case(format: "\(qualifier) SELF == 'a'", offset: 0, found: qualifier.uppercased()))
    }

    @Test(arguments: [
        Case(format: "SELF == $variable", offset: 8, found: "variables have no value"),
        Case(format: "$variable == 'a'", offset: 0, found: "variables have no value"),
        Case(format: "NOT SELF BEGINSWITH $x", offset: 20, found: "variables have no value"),
    ])
    func variableIsForbidden(_ example: Case) throws {
        try expectRefusal(example)
    }

    @Test func forbiddenWordsInsideAStringAreText() throws {
        #expect(try ContentPredicate(format: "SELF == 'MATCHES $x'").evaluate(with: "MATCHES $x"))
    }

    private func expectRefusal(_ example: Case) throws {
        let fault = try #require(throws: PredicateFault.self) { try ContentPredicate(format: example.format) }
        #expect(fault.code == .forbidden)
        #expect(fault.offset == example.offset)
        #expect(fault.message.contains(example.found))
    }
}
