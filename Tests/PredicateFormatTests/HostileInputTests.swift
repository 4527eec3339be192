import Testing
import WaypostSchema
import WaypostTestSupport

@testable import PredicateFormat

/// Hostile formats get an error soon and never cause a crash.
@Suite struct HostileInputTests {
    struct Case: CustomTestStringConvertible {
        var piece: String
        var core = "SELF == 'a'"
        var closing = ""
        var testDescription: String { "\(piece)…\(core)…\(closing)" }
    }

    @Test(arguments: [
        Case(piece: "(", closing: ")"),
        Case(piece: "(", core: "SELF", closing: ")"),
        Case(piece: "("),
        Case(piece: ")"),
        Case(piece: "NOT "),
        Case(piece: "!"),
        Case(piece: "!("),
        Case(piece: "NOT (", closing: ")"),
        Case(piece: "{", core: "'a'", closing: "}"),
        Case(piece: "{"),
        Case(piece: "{{},"),
        Case(piece: "f(", core: "1", closing: ")"),
        Case(piece: "f("),
        Case(piece: "f(("),
        Case(piece: "f({"),
        Case(piece: "f(NOT "),
        Case(piece: "f(ANY "),
        Case(piece: "f(1,"),
        Case(piece: "FUNCTION("),
        Case(piece: "-"),
        Case(piece: "- ", core: "5 == SELF"),
        Case(piece: "~"),
        Case(piece: "1+"),
        Case(piece: "1-("),
        Case(piece: "SELF["),
        Case(piece: "$x:="),
        Case(piece: "$x:=("),
        Case(piece: "a:"),
        Case(piece: "@"),
        Case(piece: "#a."),
        Case(piece: "'a' == "),
        Case(piece: "SELF == 'a' AND "),
        Case(piece: "SELF == 'a' OR ("),
        Case(piece: "SELF LIKE[c] "),
        Case(piece: "%@"),
        Case(piece: "["),
    ])
    func longRepetitionIsParsedOrRefused(_ example: Case) throws {
        let count = min(10_000, 90_000 / (example.piece + example.closing).utf8.count)
        let format =
            String(repeating: example.piece, count: count) + example.core
            + String(repeating: example.closing, count: count)
        // Some of these are chains, which are only long and are accepted.
        do throws(ContentPredicateError) {
            let predicate = try ContentPredicate(format: format)
            #expect(predicate.description.utf8.count <= ContentPredicate.maximumLength)
        } catch {
            #expect(error.code != .evaluation)
            #expect(0...format.utf8.count ~= error.offset)
        }
    }

    /// Calls in comparisons in calls.
    ///
    /// Each runs in a process of its own, because a failure exhausts the stack.
    @Test func nestedCallsInComparisonsAreRefused() async {
        await #expect(processExitsWith: .success) { try Self.expectRefusal(of: "f(1 == ") }
        await #expect(processExitsWith: .success) { try Self.expectRefusal(of: "f((1)[") }
        await #expect(processExitsWith: .success) { try Self.expectRefusal(of: "f(1 MATCHES ") }
        await #expect(processExitsWith: .success) { try Self.expectRefusal(of: "f(1 UTI-EQUALS ") }
    }

    private static func expectRefusal(of piece: String) throws {
        let format = String(repeating: piece, count: 90_000 / piece.utf8.count)
        #expect(throws: ContentPredicateError.self) { try ContentPredicate(format: format) }
    }

    @Test(arguments: [
        "SELF" + String(repeating: ".a", count: 10_000) + " == 'a'",
        "SELF" + String(repeating: "[0]", count: 10_000) + " == 'a'",
        "SELF" + String(repeating: "[0].a", count: 2_000) + " == 'a'",
        String(repeating: "$x:=", count: 200) + "1 == 1",
        String(repeating: "f(", count: 200) + "1" + String(repeating: ")", count: 200) + " == 1",
        "SELF == " + String(repeating: "1 + ", count: 2_000) + "1",
        "SELF == " + String(repeating: "-", count: 10_000) + "1",
        "SELF == " + String(repeating: "%@ + ", count: 2_000) + "1",
        "SELF ==[" + String(repeating: "l", count: 50_000) + "] 'a'",
        String(repeating: "a", count: 50_000) + " == 'a'",
        String(repeating: "f(", count: 250) + "'\(String(repeating: "a", count: 98_000))'"
            + String(repeating: ")", count: 250) + " == 1",
    ])
    func longForbiddenFormatIsRefusedWithAShortMessage(_ format: String) throws {
        let error = try #require(throws: ContentPredicateError.self) { try ContentPredicate(format: format) }
        #expect(error.code == .forbidden)
        #expect(error.offset <= 10)
        #expect(error.message.utf8.count < 400)
    }

    @Test(arguments: ["a", "\u{E9}", "\u{1F921}"])
    func messageTruncatesALongExcerpt(_ letter: String) throws {
        let format = "FUNCTION('\(String(repeating: letter, count: 5_000))') == 1"
        let error = try #require(throws: ContentPredicateError.self) { try ContentPredicate(format: format) }
        let count = (String.excerptLength - "FUNCTION('".utf8.count) / letter.utf8.count
        #expect(error.message.contains("FUNCTION('\(String(repeating: letter, count: count))…"))
    }

    /// A search examines a character with very many combining marks once for each mark.
    @Test(
        arguments: ["SELF ENDSWITH[cd] '\u{E9}'", "SELF ENDSWITH '\u{E9}'", "SELF CONTAINS[cd] 'x'", "'x' IN[d] SELF"],
        ["\u{301}", "\u{200D}", "\u{1112}"]
    )
    func searchInALongCharacterCannotBeEvaluated(_ format: String, _ scalar: String) throws {
        let predicate = try ContentPredicate(format: format)
        let error = try #require(throws: ContentPredicateError.self) {
            try predicate.evaluate(with: "a" + String(repeating: scalar, count: 20_000))
        }
        #expect(error.code == .evaluation)
        #expect(error.message.contains("may take too long"))
        #expect(try !predicate.evaluate(with: "a" + String(repeating: scalar, count: 500)))
    }

    @Test func searchInALongTextOfShortCharactersCanBeEvaluated() throws {
        let text = String(repeating: "\u{E9}", count: 200_000)
        #expect(try !ContentPredicate(format: "SELF CONTAINS[cd] 'ex'").evaluate(with: text))
        #expect(try ContentPredicate(format: "SELF ENDSWITH[cd] 'Ex'").evaluate(with: text + "x"))
    }

    @Test func searchesOfAnEvaluationShareOneLimit() throws {
        let needle = String(repeating: "\u{E9}", count: 10) + "x"
        let format = Array(repeating: "SELF CONTAINS[c] '\(needle)'", count: 200).joined(separator: " OR ")
        let value = String(repeating: "\u{E9}", count: 50_000)
        let error = try #require(throws: ContentPredicateError.self) {
            try ContentPredicate(format: format).evaluate(with: value)
        }
        #expect(error.offset > 5)
        #expect(try !ContentPredicate(format: format).evaluate(with: String(value.prefix(2_000))))
    }

    /// The parser does not evaluate comparisons between constants.
    @Test func searchBetweenConstantsIsNotEvaluatedByTheParser() throws {
        let format = "'\(String(repeating: "\u{301}", count: 40_000))' CONTAINS[cd] 'x'"
        let error = try #require(throws: ContentPredicateError.self) {
            try ContentPredicate(format: format).evaluate(with: "a")
        }
        #expect(error.code == .evaluation)
    }

    @Test(arguments: ["SELF LIKE %@", "'abc' LIKE SELF"])
    func tooLongPieceOfAPatternCannotBeEvaluated(_ format: String) throws {
        let letters = String(String.UnicodeScalarView((0x4E00..<0x5E00).compactMap(Unicode.Scalar.init)))
        let arguments: [any PredicateArgument] = format.contains("%@") ? ["*?\(letters)*"] : []
        let predicate = try ContentPredicate(format: format, arguments: arguments)
        let error = try #require(throws: ContentPredicateError.self) { try predicate.evaluate(with: "*?\(letters)*") }
        #expect(error.code == .evaluation)
        #expect(error.message.contains("4097 characters"))
    }

    @Test(arguments: [
        "1" + String(repeating: "e+", count: 40_000), String(repeating: "1e", count: 40_000),
        String(repeating: "1.", count: 40_000), String(repeating: "9", count: 90_000),
        "0x" + String(repeating: "F", count: 90_000),
        "1e" + String(repeating: "9", count: 90_000), String(repeating: "9", count: 90_000) + "x",
    ])
    func longNumberIsRefused(_ number: String) throws {
        let error = try #require(throws: ContentPredicateError.self) {
            try ContentPredicate(format: "SELF == \(number)")
        }
        #expect(error.code == .syntax)
        #expect(error.offset == 8)
    }

    @Test(arguments: [1_000_000, 2_000_000])
    func literalOfAMegabyteIsRefused(length: Int) throws {
        let format = "SELF == '\(String(repeating: "a", count: length - 10))'"
        let error = try #require(throws: ContentPredicateError.self) { try ContentPredicate(format: format) }
        #expect(error.code == .syntax)
        #expect(error.message.contains("\(length) bytes"))
    }

    @Test(
        arguments: [
            ([0xFF], 0), ([0x80], 0), ([0x53, 0xC3], 1), ([0x27, 0xC3, 0x28, 0x27], 1), ([0xE2, 0x82], 0),
            ([0xC0, 0x80], 0),
            ([0x61, 0xED, 0xA0, 0x80], 1), ([0x61, 0x62, 0xF4, 0x90, 0x80, 0x80], 2),
        ] as [([UInt8], Int)]
    )
    func invalidUTF8IsRefusedAtItsFirstByte(_ bytes: [UInt8], _ offset: Int) throws {
        let error = try #require(throws: ContentPredicateError.self) { try ContentPredicate(utf8: bytes) }
        #expect(error.code == .syntax)
        #expect(error.offset == offset)
        #expect(error.message.contains("found a byte that is not UTF-8"))
    }

    @Test func validUTF8IsParsed() throws {
        let format = "SELF == 'caf\u{E9} \u{1F3AA}'"
        #expect(try ContentPredicate(utf8: format.utf8) == ContentPredicate(format: format))
        let tooLong = Array(repeating: UInt8(ascii: " "), count: ContentPredicate.maximumLength + 1)
        #expect(throws: ContentPredicateError.self) { try ContentPredicate(utf8: tooLong) }
    }

    /// The time of a search for a long non-ASCII text is not linear, so it has a limit.
    @Test(.proves("T52")) func searchThatWouldTakeTooLongIsAnError() throws {
        let part = String(repeating: "\u{E9}", count: 10_000)
        let predicate = try ContentPredicate(format: "SELF CONTAINS %@", part + "a")
        let error = try #require(throws: ContentPredicateError.self) { try predicate.evaluate(with: part) }
        #expect(error.code == .evaluation)
        #expect(error.offset == 5)
        #expect(error.message.contains("a search for 20001 bytes in 20000"))
        #expect(try predicate.evaluate(with: String(repeating: "a", count: 100)) == false)
    }
}
