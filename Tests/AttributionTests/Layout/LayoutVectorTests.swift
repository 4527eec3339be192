import Attribution
import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport

/// Layouts of four people with names of each language, compared exactly.
@Suite(.proves("B84", "B85")) struct LayoutVectorTests {
    static let file = Repository.vectors.appending(path: "attribution/layout.jsonl")

    static let command = "WAYPOST_WRITE_DOCS=1 make test FILTER=LayoutVectorTests"

    /// With `WAYPOST_WRITE_DOCS=1` the file is written first.
    @Test func layoutsEqualTheStoredOnes() throws {
        let contents = AttributionLanguage.allCases.map(AttributionContent.sample)
        let report = LayoutReport(contents, AttributionPreferences(), widths: [80, 160, 320])
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let lines = try report.rows.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
        if ProcessInfo.processInfo.environment["WAYPOST_WRITE_DOCS"] == "1" {
            let folder = Self.file.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: Self.file)
        }
        let stored = try Repository.lines(of: Self.file)
        #expect(stored.count == 12 * 4 * 3)
        for (line, expected) in zip(lines, stored) {
            #expect(line == expected, "To regenerate the layouts: \(Self.command)")
        }
        #expect(lines.count == stored.count)
    }
}
