import PredicateFormat
import Testing

/// `==` compares UTF-16 code units, as `NSString` does.
///
/// Canonical equivalents, which are equal in Swift, are not equal here.
@Suite struct EqualityTests {
    struct Case: CustomTestStringConvertible {
        var value: String
        var literal: String
        var testDescription: String { "\(value.unicodeScalars.map(\.value)) == \(literal.unicodeScalars.map(\.value))" }
    }

    @Test(arguments: [
        "", "a", "caf\u{E9}", "cafe\u{301}", "\u{1F44D}\u{1F3FD}", "\r\n", "a\u{0}b",
        "https://clowntown.example/crusty/",
    ])
    func textEqualsItself(_ text: String) throws {
        #expect(try ContentPredicate(format: "SELF == \"\(text)\"").evaluate(with: text))
    }

    @Test(arguments: [
        Case(value: "caf\u{E9}", literal: "cafe\u{301}"),
        Case(value: "cafe\u{301}", literal: "caf\u{E9}"),
        Case(value: "\u{212A}", literal: "K"),
        Case(value: "\u{AC00}", literal: "\u{1100}\u{1161}"),
        Case(value: "q\u{307}\u{323}", literal: "q\u{323}\u{307}"),
    ])
    func canonicalEquivalentsDiffer(_ example: Case) throws {
        try expectDifference(example)
    }

    @Test(arguments: [
        Case(value: "a", literal: "A"),
        Case(value: "a", literal: "a "),
        Case(value: "a", literal: ""),
        Case(value: "", literal: "a"),
        Case(value: "\r\n", literal: "\n"),
        Case(value: "stra\u{DF}e", literal: "strasse"),
        Case(value: "\u{FF21}", literal: "A"),
        Case(value: "crusty", literal: "crusty\u{200B}"),
    ])
    func otherTextsDiffer(_ example: Case) throws {
        try expectDifference(example)
    }

    @Test func predicatesOfCanonicalEquivalentsDiffer() throws {
        let composed = try ContentPredicate(format: "SELF == 'caf\u{E9}'")
        let decomposed = try ContentPredicate(format: "SELF == 'cafe\u{301}'")
        #expect(composed != decomposed)
    }

    private func expectDifference(_ example: Case) throws {
        let predicate = try ContentPredicate(format: "SELF == \"\(example.literal)\"")
        #expect(try !predicate.evaluate(with: example.value))
    }
}
