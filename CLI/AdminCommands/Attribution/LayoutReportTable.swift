internal import Attribution
internal import WaypostSchema

/// A report of layouts for a person: one layout a row.
enum LayoutReportTable {
    static func text(_ rows: [LayoutReportRow]) -> String {
        let header = ["Language", "Preferred", "In force", "Width", "Outcome", "Step", "Size", "Text"]
        return TextTable(header: header, rows: rows.map(cells)).text
    }

    private static func cells(of row: LayoutReportRow) -> [String] {
        [
            row.language, row.preferredContentSizeCategory.rawValue, row.contentSizeCategory.rawValue, "\(row.width)",
            row.outcome.rawValue, row.step.rawValue, "\(row.size.width) × \(row.size.height)",
            TerminalText.safe(row.text),
        ]
    }
}
