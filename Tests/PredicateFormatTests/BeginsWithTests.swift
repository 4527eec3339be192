import PredicateFormat
import Testing

@Suite struct BeginsWithTests {
    struct Case: CustomTestStringConvertible {
        var value: String
        var text: String
        var testDescription: String { "\(value.debugDescription) BEGINSWITH \(text.debugDescription)" }
    }

    @Test(arguments: [
        Case(value: "a", text: "a"),
        Case(value: "https://clowntown.example/clowns/crusty", text: "https://clowntown.example/"),
        Case(value: "caf\u{E9} au lait", text: "caf\u{E9}"),
        Case(value: "\u{1F44D}\u{1F3FD}!", text: "\u{1F44D}\u{1F3FD}"),
        Case(value: "\u{6771}\u{4EAC}\u{90FD}", text: "\u{6771}\u{4EAC}"),
        Case(value: "a\u{0}b", text: "a\u{0}"),
    ])
    func textAtTheBeginningIsFound(_ example: Case) throws {
        #expect(try isFound(example))
    }

    @Test(arguments: [
        Case(value: "ab", text: "b"),
        Case(value: "a", text: "ab"),
        Case(value: "", text: "a"),
        Case(value: "Ab", text: "a"),
        Case(value: " a", text: "a"),
        Case(value: "caf\u{E9}", text: "cafe"),
        Case(value: "stra\u{DF}e", text: "strass"),
    ])
    func otherTextIsNotFound(_ example: Case) throws {
        #expect(try !isFound(example))
    }

    @Test(arguments: ["", "a", "\u{E9}", "\r\n"])
    func emptyTextIsNeverFound(_ value: String) throws {
        #expect(try !isFound(Case(value: value, text: "")))
    }

    @Test(arguments: [
        Case(value: "caf\u{E9}!", text: "cafe\u{301}"),
        Case(value: "cafe\u{301}!", text: "caf\u{E9}"),
        Case(value: "\u{AC00}!", text: "\u{1100}\u{1161}"),
        Case(value: "q\u{307}\u{323}!", text: "q\u{323}\u{307}"),
    ])
    func canonicalEquivalentsAreFound(_ example: Case) throws {
        #expect(try isFound(example))
    }

    @Test(arguments: [
        Case(value: "cafe\u{301}", text: "cafe"),
        Case(value: "e\u{323}\u{301}", text: "e\u{323}"),
        Case(value: "\u{1F44D}\u{1F3FD}", text: "\u{1F44D}"),
        Case(value: "\u{1F44D}\u{1F3FD} good", text: "\u{1F44D}"),
    ])
    func composedCharacterIsNotSplit(_ example: Case) throws {
        #expect(try !isFound(example))
    }

    private func isFound(_ example: Case) throws -> Bool {
        try ContentPredicate(format: "SELF BEGINSWITH \"\(example.text)\"").evaluate(with: example.value)
    }
}
