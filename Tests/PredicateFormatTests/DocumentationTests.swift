import Foundation
import PredicateFormat
import Testing
import WaypostSchema
import WaypostTestSupport

/// The tables of `docs/predicates.md`: every example holds and fails for the values that the page states.
@Suite struct DocumentationTests {
    struct Example: CustomTestStringConvertible {
        var format: String
        var holds: String?
        var fails: String?
        var testDescription: String { format }
    }

    /// The rows with four columns: description, example, a value that it holds for, and a value that it fails for.
    private static let examples: [Example] = {
        let page = Repository.root.appending(path: "docs/predicates.md")
        return ((try? Repository.lines(of: page)) ?? []).compactMap { line in
            let cells = line.replacing(#"\|"#, with: "\u{1}").split(separator: "|", omittingEmptySubsequences: false)
                .map { String($0.replacing("\u{1}", with: "|")) }
            guard cells.count == 6, let format = code(in: cells[2]) else { return nil }
            return Example(format: format, holds: code(in: cells[3]), fails: code(in: cells[4]))
        }
    }()

    /// Returns the text between the backticks of a cell, or `nil` if the cell is not code.
    private static func code(in cell: String) -> String? {
        let text = cell.trimmingCharacters(in: .whitespaces)
        guard text.count > 1, text.hasPrefix("`"), text.hasSuffix("`") else { return nil }
        return String(text.dropFirst().dropLast())
    }

    @Test func builtPredicatesOfThePageBehaveAsDescribed() throws {
        let prefix = "https://clowntown.example/"
        let clowns = try ContentPredicate(format: "SELF BEGINSWITH %@ AND NOT SELF ENDSWITH[c] %@", prefix, ".draft")
        let same: ContentPredicate = .beginsWith(prefix) && !.endsWith(".draft", .caseInsensitive)
        let tabs = ContentPredicate.in(["doc/1", "doc/2"]) || .like("doc/draft-*")
        #expect(same == clowns)
        #expect(try clowns.evaluate(with: "https://clowntown.example/clowns"))
        #expect(try tabs.evaluate(with: "doc/draft-7"))
        let reason = clowns.evaluation(with: "https://other.example/").decidingPredicate.because
        #expect(reason.hasPrefix("after 8 equal characters, SELF continues with"))
    }

    @Test func everyOperatorAndOptionHasAnExample() {
        #expect(Self.examples.count == 22)
    }

    @Test(.proves("T15"), arguments: examples)
    func exampleHoldsAndFailsForTheValuesOnThePage(_ example: Example) throws {
        let predicate = try ContentPredicate(format: example.format)
        if let value = example.holds { #expect(try predicate.evaluate(with: value)) }
        if let value = example.fails { #expect(try !predicate.evaluate(with: value)) }
        #expect(example.holds != nil || example.fails != nil)
    }
}
