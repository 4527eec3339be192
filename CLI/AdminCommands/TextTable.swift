/// A table of plain text: columns as wide as their widest cell, two spaces apart.
struct TextTable: Equatable {
    let header: [String]
    let rows: [[String]]

    /// The table's lines, without spaces at their ends.
    var text: String {
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
