internal import Attribution

/// A table of plain text: each column is as wide as its widest cell, with two spaces between columns.
package struct TextTable: Equatable {
    /// The titles of the columns.
    package let header: [String]

    /// The cells of each row, one for each title.
    package let rows: [[String]]

    /// Creates a table.
    package init(header: [String], rows: [[String]]) {
        self.header = header
        self.rows = rows
    }

    /// The table's lines, without trailing spaces.
    package var text: String {
        // A cell may come from another machine: it must neither start a row nor control the terminal.
        let rows = rows.map { $0.map { TerminalText.safe($0) } }
        let lines = [header] + [header.map { String(repeating: "─", count: $0.count) }] + rows
        let widths = header.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { cells in Self.line(cells, widths) }.joined(separator: "\n")
    }

    private static func line(_ cells: [String], _ widths: [Int]) -> String {
        let padded = zip(cells, widths).map { cell, width in
            cell + String(repeating: " ", count: width - cell.count)
        }
        let line = padded.joined(separator: "  ")
        return String(line.reversed().drop { $0 == " " }.reversed())
    }
}
