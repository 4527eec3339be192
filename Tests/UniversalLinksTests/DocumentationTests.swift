import Foundation
import Testing
import UniversalLinks
import WaypostSchema
import WaypostTestSupport

/// The tables of `docs/universal-links.md`: every example has the outcome that the page states, and no reason or code
/// is missing.
@Suite struct DocumentationTests {
    struct Example: CustomTestStringConvertible {
        var rules: String
        var url: String
        var answer: String
        var testDescription: String { "\(rules) \(url)" }

        /// An association file with the rules, which are `paths` if they are strings and `components` otherwise.
        var file: [UInt8] {
            let key = rules.hasPrefix("\"") ? "paths" : "components"
            let list = rules.hasPrefix("[") ? rules : "[\(rules)]"
            let entry = #"{"appID":"ABCDE12345.com.example.clowntown","\#(key)":\#(list)}"#
            let variables = #"{"food":["pie","cake-*"]}"#
            return Array(#"{"applinks":{"details":[\#(entry)],"substitutionVariables":\#(variables)}}"#.utf8)
        }
    }

    /// The cells of the page's tables, by row.
    private static let rows: [[String]] = {
        let page = Repository.root.appending(path: "docs/universal-links.md")
        return ((try? Repository.lines(of: page)) ?? []).filter { $0.hasPrefix("|") }.map { line in
            line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }()

    private static let examples: [Example] = rows.compactMap { cells in
        guard cells.count == 4, let rules = code(in: cells[1]) else { return nil }
        return Example(rules: rules, url: code(in: cells[2]) ?? "", answer: cells[3])
    }

    /// The codes in the first cells of the tables of two or three columns.
    private static let codes = Set(rows.filter { $0.count < 4 }.compactMap { $0.first.flatMap(code) })

    /// Returns the text between the backticks of a cell, or `nil` if the cell is not code.
    private static func code(in cell: String) -> String? {
        guard cell.count > 1, cell.hasPrefix("`"), cell.hasSuffix("`") else { return nil }
        return String(cell.dropFirst().dropLast())
    }

    @Test func thereAreExamples() {
        #expect(Self.examples.count == 39)
    }

    @Test(.proves("B68"), arguments: examples)
    func exampleHasTheOutcomeOnThePage(_ example: Example) throws {
        let matcher = AssociationMatcher(try AssociationFile(example.file))
        let url = "https://clowntown.example" + example.url
        #expect(matcher.decisions(on: url).map(\.outcome.rawValue) == [example.answer])
    }

    @Test(arguments: LinkDecision.Reason.allCases)
    func everyReasonIsOnThePage(_ reason: LinkDecision.Reason) {
        #expect(Self.codes.contains(reason.rawValue))
    }

    @Test(arguments: AssociationFinding.Code.allCases)
    func everyCodeIsOnThePage(_ code: AssociationFinding.Code) {
        #expect(Self.codes.contains(code.rawValue))
    }
}
