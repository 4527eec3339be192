import PredicateFormat
import Testing
import WaypostSchema
import WaypostTestSupport

/// Arguments that replace placeholders.
@Suite struct ArgumentTests {
    struct Case: CustomTestStringConvertible {
        var format: String
        var arguments: [any PredicateArgument]
        var canonical: String
        var testDescription: String { "\(format) with \(arguments)" }
    }

    struct Refusal: CustomTestStringConvertible {
        var format: String
        var arguments: [any PredicateArgument] = []
        var offset: Int
        var found: String
        var testDescription: String { "\(format) with \(arguments)" }
    }

    @Test func argumentReplacesItsPlaceholder() throws {
        let prefix = "https://clowntown.example/\"crusty\"\\'"
        let predicate = try ContentPredicate(format: "SELF BEGINSWITH %@", prefix)
        #expect(try predicate.evaluate(with: prefix + "/shoes"))
        #expect(try !predicate.evaluate(with: "https://clowntown.example/"))
        #expect(predicate == .beginsWith(prefix))
    }

    @Test(arguments: [
        Case(format: "SELF == %@", arguments: ["a"], canonical: "SELF == \"a\""),
        Case(
            format: "SELF == %@",
            arguments: ["%@ ' OR TRUEPREDICATE"],
            canonical: "SELF == \"%@ ' OR TRUEPREDICATE\""
        ),
        Case(format: "SELF == %@", arguments: ["ab".dropFirst()], canonical: "SELF == \"b\""),
        Case(format: "SELF == %@", arguments: [PredicateValue.string("a")], canonical: "SELF == \"a\""),
        Case(format: "SELF == %@", arguments: [5], canonical: "SELF == 5"),
        Case(format: "SELF == %@", arguments: [Int.min], canonical: "SELF == -9223372036854775808"),
        Case(format: "SELF == %@", arguments: [0.5], canonical: "SELF == 0.5"),
        Case(format: "SELF == %@", arguments: [2.0], canonical: "SELF == 2"),
        Case(format: "SELF == %@", arguments: [true], canonical: "SELF == 1"),
        Case(format: "SELF == %@", arguments: [false], canonical: "SELF == 0"),
        Case(format: "SELF == %@", arguments: [String?.none], canonical: "SELF == nil"),
        Case(format: "SELF == %@", arguments: [String?.some("a")], canonical: "SELF == \"a\""),
        Case(format: "SELF IN %@", arguments: [["a", "b"]], canonical: "SELF IN {\"a\", \"b\"}"),
        Case(format: "SELF IN %@", arguments: [[String]()], canonical: "SELF IN {}"),
        Case(format: "SELF IN %@", arguments: [[["a"], []]], canonical: "SELF IN {{\"a\"}, {}}"),
        Case(format: "SELF IN %@", arguments: [["a", nil]], canonical: "SELF IN {\"a\", nil}"),
        Case(format: "SELF BETWEEN {%@, %@}", arguments: ["a", "b"], canonical: "SELF BETWEEN {\"a\", \"b\"}"),
        Case(format: "%@ == %@", arguments: ["a", 5], canonical: "\"a\" == 5"),
        Case(format: "%K == %@", arguments: ["SELF", "a"], canonical: "SELF == \"a\""),
        Case(format: "%K LIKE[c] %s", arguments: ["self", "a*"], canonical: "SELF LIKE[c] \"a*\""),
        Case(
            format: "SELF == %@ OR NOT(SELF==%@)",
            arguments: ["a", "b"],
            canonical: "SELF == \"a\" OR (NOT SELF == \"b\")"
        ),
    ])
    func argumentsPrintAsConstants(_ example: Case) throws {
        let predicate = try ContentPredicate(format: example.format, arguments: example.arguments)
        #expect(predicate.description == example.canonical)
        #expect(try ContentPredicate(format: predicate.description) == predicate)
    }

    @Test(.proves("T25")) func contentIdentifierIsAnArgumentWithItsText() throws {
        let identifier = TargetContentIdentifier(rawValue: "crusty")
        #expect(try ContentPredicate(format: "SELF == %@", identifier) == .equals("crusty"))
    }

    @Test(arguments: [
        "%d", "%D", "%i", "%u", "%U", "%x", "%X", "%o", "%O", "%c", "%ld", "%lld", "%lu", "%llu", "%hd", "%hhd", "%qd",
        "%zd", "%jd",
        "%td", "%lx",
    ])
    func integerMatchesPlaceholdersOfEveryLength(_ placeholder: String) throws {
        #expect(try ContentPredicate(format: "SELF == \(placeholder)", -42).description == "SELF == -42")
        #expect(throws: ContentPredicateError.self) { try ContentPredicate(format: "SELF == \(placeholder)", 0.5) }
        #expect(throws: ContentPredicateError.self) { try ContentPredicate(format: "SELF == \(placeholder)", "5") }
    }

    @Test(arguments: ["%f", "%F", "%e", "%E", "%g", "%G", "%a", "%A", "%lf", "%Lf"])
    func numberMatchesFloatingPointPlaceholders(_ placeholder: String) throws {
        #expect(try ContentPredicate(format: "SELF == \(placeholder)", 0.5).description == "SELF == 0.5")
        #expect(try ContentPredicate(format: "SELF == \(placeholder)", 5).description == "SELF == 5")
        #expect(throws: ContentPredicateError.self) { try ContentPredicate(format: "SELF == \(placeholder)", "5") }
    }

    @Test(arguments: [
        Refusal(format: "SELF == %d", arguments: ["a"], offset: 8, found: "'%d' does not accept argument 1, a string"),
        Refusal(
            format: "SELF == %ld",
            arguments: [0.5],
            offset: 8,
            found: "'%ld' does not accept argument 1, a number"
        ),
        Refusal(
            format: "SELF == %s",
            arguments: [5],
            offset: 8,
            found: "'%s' does not accept argument 1, a whole number"
        ),
        Refusal(
            format: "SELF == %f",
            arguments: [["a"]],
            offset: 8,
            found: "'%f' does not accept argument 1, an aggregate"
        ),
        Refusal(
            format: "SELF == %s",
            arguments: [String?.none],
            offset: 8,
            found: "'%s' does not accept argument 1, nil"
        ),
        Refusal(
            format: "%@ == %d",
            arguments: ["a", "b"],
            offset: 6,
            found: "'%d' does not accept argument 2, a string"
        ),
        Refusal(
            format: "%K == 'a'",
            arguments: [5],
            offset: 0,
            found: "'%K' does not accept argument 1, a whole number"
        ),
        Refusal(
            format: "SELF == %@",
            arguments: [Double.nan],
            offset: 8,
            found: "argument 1 is nan, which a format cannot express"
        ),
        Refusal(format: "SELF == %f", arguments: [Double.infinity], offset: 8, found: "argument 1 is inf"),
        Refusal(format: "SELF IN %@", arguments: [[1.5, -.infinity]], offset: 8, found: "argument 1 is -inf"),
    ])
    func argumentOfTheWrongTypeIsRefusedAtItsPlaceholder(_ example: Refusal) throws {
        try expectRefusal(example, .syntax)
    }

    @Test(arguments: [
        Refusal(format: "SELF == 'a'", arguments: ["b"], offset: 11, found: "argument 1, a string, has no placeholder"),
        Refusal(
            format: "SELF == %@",
            arguments: ["a", 5],
            offset: 10,
            found: "argument 2, a whole number, has no placeholder"
        ),
        Refusal(
            format: "SELF == '%@'",
            arguments: ["a"],
            offset: 12,
            found: "inside quotation marks, %@ and other placeholders are plain text"
        ),
    ])
    func unusedArgumentIsRefusedAtTheEnd(_ example: Refusal) throws {
        try expectRefusal(example, .syntax)
    }

    @Test(arguments: [
        Refusal(format: "SELF == %@", offset: 8, found: "found '%@' without an argument for it"),
        Refusal(format: "%K == 'a'", offset: 0, found: "found '%K' without an argument for it"),
        Refusal(format: "SELF == %lld", offset: 8, found: "found '%lld' without an argument for it"),
        Refusal(
            format: "SELF IN {%@, %@}",
            arguments: ["a"],
            offset: 13,
            found: "found '%@' without an argument for it"
        ),
        Refusal(format: "%K == 'a'", arguments: ["length"], offset: 0, found: "found the key path 'length'"),
        Refusal(format: "%K == 'a'", arguments: ["SELF.length"], offset: 0, found: "found the key path 'SELF.length'"),
    ])
    func placeholderWithoutAPermittedArgumentIsForbidden(_ example: Refusal) throws {
        try expectRefusal(example, .forbidden)
    }

    @Test(arguments: [
        Refusal(
            format: "SELF == %%",
            offset: 8,
            found: "found '%%', which is not a placeholder; write a percent sign inside"
        ),
        Refusal(format: "SELF == %", offset: 8, found: "found '%', which is not a placeholder"),
        Refusal(format: "SELF == %l", offset: 8, found: "found '%l', which is not a placeholder"),
        Refusal(format: "SELF == %5d", offset: 8, found: "without flags, width or precision"),
        Refusal(format: "SELF == %.2f", offset: 8, found: "without flags, width or precision"),
        Refusal(format: "SELF == %-d", offset: 8, found: "without flags, width or precision"),
        Refusal(format: "SELF == %y", offset: 8, found: "found '%y', which is not a placeholder"),
        Refusal(format: "SELF == %\u{E9}", offset: 8, found: "found '%', which is not a placeholder"),
    ])
    func invalidPlaceholderIsRefused(_ example: Refusal) throws {
        var example = example
        try expectRefusal(example, .syntax)
        example.arguments = [5]
        try expectRefusal(example, .syntax)
    }

    @Test func placeholdersInQuotationMarksAreText() throws {
        let predicate = try ContentPredicate(format: "SELF == '%@' OR SELF == \"100%\" OR SELF == %@", "a")
        for value in ["%@", "100%", "a"] { #expect(try predicate.evaluate(with: value)) }
    }

    @Test func tooDeeplyNestedArgumentIsRefused() throws {
        let nested = { (levels: Int) in
            (0..<levels).reduce(PredicateValue.string("a")) { value, _ in .aggregate([value]) }
        }
        let predicate = try ContentPredicate(format: "'a' IN %@", nested(256))
        #expect(try ContentPredicate(format: predicate.description) == predicate)
        for levels in [257, 1_000] {
            let error = try #require(throws: ContentPredicateError.self) {
                try ContentPredicate(format: "'a' IN %@", nested(levels))
            }
            #expect(error.code == .syntax)
            #expect(error.message.contains("nesting deeper than 256"))
        }
    }

    @Test func tooLongArgumentIsRefused() throws {
        let text = String(repeating: "a", count: ContentPredicate.maximumLength)
        let error = try #require(throws: ContentPredicateError.self) {
            try ContentPredicate(format: "SELF == %@", text)
        }
        #expect(error.code == .syntax)
        #expect(error.message.contains("a canonical form of 100010 bytes"))
    }

    private func expectRefusal(_ example: Refusal, _ code: ContentPredicateError.Code) throws {
        let error = try #require(throws: ContentPredicateError.self) {
            try ContentPredicate(format: example.format, arguments: example.arguments)
        }
        #expect(error.code == code)
        #expect(error.offset == example.offset)
        #expect(error.message.contains(example.found))
    }
}
