internal import TextReports
internal import WaypostSchema

/// A report for people: tables, and sentences below them.
struct TextReport {
    var tables: [TextTable]
    var sentences: [String]

    /// The report as plain text.
    var text: String {
        (tables.map(\.text) + sentences).joined(separator: "\n\n")
    }

    /// The report as events of a run.
    var events: [RunEvent] {
        tables.map { .table(RunTable(header: $0.header, rows: $0.rows)) } + sentences.map { .note($0) }
    }
}
