import Foundation
import Highlights
import Testing
import WaypostSchema
import WaypostTestSupport

/// Checks `docs/ranking.md` against the code.
@Suite struct RankingPageTests {
    private let page = Page("docs/ranking.md")

    @Test func numbersAreDocumented() {
        let rules = RankingRules()
        let points = rules.sharerPoints.map(String.init)
        let expected = [
            "`halfLife`": "\(rules.halfLife / 3_600_000) h",
            "`pointsPerHalfLife`": "\(rules.pointsPerHalfLife)",
            "`sharerPoints`": points.joined(separator: ", "),
            "`pinnedPoints`": "\(rules.pinnedPoints)",
            "`interactedPoints`": "\(rules.interactedPoints)",
            "`startedPoints`": "\(rules.startedPoints)",
            "`consumedPoints`": "−\(-rules.consumedPoints)",
            "`freeImpressions`": "\(rules.freeImpressions)",
            "`ignoredPoints`": "−\(-rules.ignoredPoints)",
            "`ignoredPointsLimit`": "−\(-rules.ignoredPointsLimit)",
            "`impressionTime`": "\(rules.impressionTime / 1_000) s",
            "`impressionInterval`": "\(rules.impressionInterval / 60_000) min",
            "`consumptionTime`": "\(rules.consumptionTime / 1_000) s",
            "`minimumAge`": "\(rules.minimumAge / 60_000) min",
            "`maximumAge`": "\(rules.maximumAge / 86_400_000) d",
        ]
        let rows = page.rows.filter { $0.count == 3 && $0[0].hasPrefix("`") }
        #expect(Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) }) == expected)
    }

    @Test func everyConstantHasARow() {
        let names = Mirror(reflecting: RankingRules()).children.compactMap(\.label)
        #expect(names.map { "`\($0)`" } == page.rows.filter { $0.count == 3 }.map(\.[0]).filter { $0.hasPrefix("`") })
    }

    @Test(arguments: CurationGapReason.allCases)
    func everyReasonForNoCuratedItemIsDocumented(_ gap: CurationGapReason) {
        #expect(page.text.contains("`\(gap.rawValue)`"))
    }

    @Test func everyExampleIsAnEvent() throws {
        #expect(page.jsonLines.count == 4)
        for line in page.jsonLines {
            _ = try JSONDecoder().decode(DeviceEvent.self, from: Data(line.utf8))
        }
    }
}
