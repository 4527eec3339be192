import Attribution
import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport

/// Checks `docs/attribution.md` against the code.
@Suite struct AttributionPageTests {
    private let lines: [String]

    init() throws {
        lines = try Repository.lines(of: Repository.root.appending(path: "docs/attribution.md"))
    }

    /// Returns the cells of the first row that begins with a cell.
    private func cells(ofRow first: String) -> [String]? {
        lines.first { $0.hasPrefix("| \(first) |") }
            .map { $0.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
    }

    @Test func rulesAreNumberedConsecutively() {
        let numbers = lines.compactMap { $0.firstMatch(of: /^\| (\d+) \|/).flatMap { Int($0.output.1) } }
        #expect(numbers == Array(1...numbers.count))
        #expect(numbers.count > 30)
    }

    @Test(arguments: [
        ("two", ["A", "B"], 0), ("three", ["A", "B", "C"], 0), ("two and others", ["A", "B"], 2),
        ("one and others", ["A"], 2),
    ])
    func namesAreJoinedAsDocumented(_ row: String, _ names: [String], _ others: Int) throws {
        let cells = try #require(self.cells(ofRow: row))
        let texts = AttributionLanguage.allCases.map { NameList.text(names: names, others: others, in: $0) }
        #expect(Array(cells.dropFirst()) == texts.map { $0.filter { !"\u{2068}\u{2069}".contains($0) } })
    }

    @Test(arguments: AttributionLanguage.allCases)
    func documentedTitlesAreAccepted(_ language: AttributionLanguage) throws {
        let cells = try #require(self.cells(ofRow: language.rawValue))
        let words = cells.dropFirst().flatMap { $0.split(separator: ", ") }.map(String.init)
        #expect(words.count >= 3)
        for word in words { #expect(HideTitleRule.finding(word, in: language) == nil, "\(word)") }
    }

    @Test func textSizesAreDocumented() throws {
        let sizes = ContentSizeCategory.allCases.map { TextScale($0).size }
        let rule = try #require(lines.first { $0.hasPrefix("| 15 |") })
        let named = rule.split(separator: "|")[1].matches(of: /\d+/).compactMap { Int($0.output) }
        #expect(named == sizes)
    }

    @Test func everyStepHasAPicture() {
        let rows = lines.compactMap { $0.firstMatch(of: /^\| `(\w+)` \| !\[\]\(pictures\/step/)?.output.1 }
        #expect(rows.map(String.init) + ["nothing"] == AttributionReport.Step.allCases.map(\.rawValue))
    }

    @Test(arguments: AttributionReport.Outcome.allCases)
    func everyOutcomeIsDocumented(_ outcome: AttributionReport.Outcome) {
        #expect(lines.contains { $0.contains("`\(outcome.rawValue)`") })
    }
}
