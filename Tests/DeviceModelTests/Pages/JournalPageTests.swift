import DeviceModel
import Foundation
import Highlights
import Testing
import WaypostSchema
import WaypostTestSupport

/// Checks `docs/journal.md` against the code.
@Suite struct JournalPageTests {
    private let lines: [String]

    init() throws {
        lines = try Repository.lines(of: Repository.root.appending(path: "docs/journal.md"))
    }

    @Test func everyEventHasARow() {
        let names = lines.filter { $0.hasPrefix("| `") }.compactMap { $0.split(separator: "`").dropFirst().first }
        #expect(names.map(String.init) == DeviceEvent.Kind.allCases.map(\.rawValue))
    }

    @Test func exampleProducesTheDocumentedList() throws {
        let entries = try lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { $0.hasPrefix("{") }
            .map { try JSONDecoder().decode(JournalEntry.self, from: Data($0.utf8)) }
        #expect(entries.count == 6)
        var device = DeviceModel()
        for entry in entries { _ = device.apply(entry.event, at: entry.at) }
        let report = try #require(device.sharing.report(on: "com.example.tv", limit: 20))
        let item = try #require(report.items.first)
        #expect(report.items.count == 1)
        #expect(lines.contains { $0.contains(item.highlight.url) && $0.contains("\(item.rank.score)") })
        #expect(device.sharing.explanation(of: "https://tv.example/shows/lasso", for: "com.example.tv").isSurfaced)
    }
}
