import PredicateFormat
import Testing
import WaypostSchema

/// What the language has and this version does not read: the refusal says so.
@Suite struct UnreadConstructTests {
    struct Case: CustomTestStringConvertible {
        var format: String
        var offset: Int
        var found: String
        var testDescription: String { format }
    }

    private static let promise = "this version does not read it yet"

    @Test(arguments: [
        "=", "!=", "<>", "<", ">", "<=", "=<", ">=", "=>", "BETWEEN", "CONTAINS", "ENDSWITH", "IN", "LIKE", "like",
        "Contains",
    ])
    func operatorIsRefusedAsNotReadYet(_ operation: String) throws {
        try expectRefusal(Case(format: "SELF \(operation) 'a'", offset: 5, found: "'\(operation)'"))
    }

    @Test(arguments: [
        Case(format: "SELF BEGINSWITH[c] 'a'", offset: 15, found: "'['"),
        Case(format: "SELF BEGINSWITH [cd] 'a'", offset: 16, found: "'['"),
        Case(format: "SELF ==[c] 'a'", offset: 7, found: "'['"),
    ])
    func optionsAreRefusedAsNotReadYet(_ example: Case) throws {
        try expectRefusal(example)
    }

    @Test(arguments: [
        Case(format: "SELF == 'a' && SELF == 'b'", offset: 12, found: "'&&'"),
        Case(format: "SELF == 'a' || SELF == 'b'", offset: 12, found: "'||'"),
        Case(format: "(SELF == 'a' || SELF == 'b')", offset: 13, found: "'||'"),
        Case(format: "!SELF == 'a'", offset: 0, found: "'!'"),
    ])
    func symbolForAKeywordIsRefusedAsNotReadYet(_ example: Case) throws {
        try expectRefusal(example)
    }

    @Test(arguments: [
        Case(format: "SELF == 5", offset: 8, found: "the number 5"),
        Case(format: "SELF == 0x1F", offset: 8, found: "the number 0x1F"),
        Case(format: "SELF BEGINSWITH 2.71828", offset: 16, found: "the number 2.71828"),
        Case(format: "5 == SELF", offset: 0, found: "the number 5"),
        Case(format: "'a' == SELF", offset: 0, found: "a string"),
        Case(format: "SELF == nil", offset: 8, found: "'nil'"),
        Case(format: "SELF == YES", offset: 8, found: "'YES'"),
        Case(format: "TRUE", offset: 0, found: "'TRUE'"),
        Case(format: "SELF == {'a'}", offset: 8, found: "'{'"),
        Case(format: "SELF == %@", offset: 8, found: "'%'"),
        Case(format: "%K == 'a'", offset: 0, found: "'%'"),
    ])
    func operandThatIsNeitherSelfNorAStringIsRefusedAsNotReadYet(_ example: Case) throws {
        try expectRefusal(example)
    }

    /// No version will read these, so the refusal must not say "yet".
    @Test(arguments: [
        "SELF 'a'", "SELF 5", "SELF == 'a' 'b'", "SELF == 'a' 5", "SELF BEGINWITH 'a'", "SELF == SELF ==",
    ])
    func whatNoVersionReadsIsNotPromised(_ format: String) throws {
        let fault = try #require(throws: PredicateFault.self) { try ContentPredicate(format: format) }
        #expect(!fault.message.contains(Self.promise))
    }

    private func expectRefusal(_ example: Case) throws {
        let fault = try #require(throws: PredicateFault.self) { try ContentPredicate(format: example.format) }
        #expect(fault.code == .syntax)
        #expect(fault.offset == example.offset)
        #expect(fault.message.hasPrefix("found \(example.found) where "))
        #expect(fault.message.hasSuffix(Self.promise))
    }
}
