internal import Attribution
internal import TextBasics

/// A table of plain text: each column is as wide as its widest cell, with two spaces between columns.
///
/// On a terminal, the widest columns are shortened until the table fits.
package struct TextTable: TextPresentable {
    /// The width below which a column is not truncated.
    private static let minimumWidth = 8

    /// The space between two columns.
    private static let gap = "  "

    /// The titles of the columns.
    package let header: [String]

    /// The cells of each row, one for each title.
    package let rows: [[String]]

    /// The columns that are never truncated, because people copy from them.
    private let untruncatedColumns: Set<Int>

    /// The columns that are left out on a terminal that is too narrow, the first one first.
    private let droppableColumns: [Int]

    /// Whether the texts of the last column continue on further lines, instead of being shortened.
    private let wrapsLastColumn: Bool

    /// Returns the color of a cell, given its column and its text.
    private let color: @Sendable (_ column: Int, _ text: String) -> TextColor?

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - header: the titles of the columns.
    ///   - rows: the cells of each row, one for each title.
    ///   - untruncatedColumns: the columns that are never truncated, because people copy from them.
    ///   - droppableColumns: the columns that are left out on a terminal that is too narrow, the first one first.
    ///   - wrapsLastColumn: whether the texts of the last column continue on further lines, instead of being shortened.
    ///   - color: returns the color of a cell, given its column and its text.
    package init(
        header: [String],
        rows: [[String]],
        untruncatedColumns: Set<Int> = [],
        droppableColumns: [Int] = [],
        wrapsLastColumn: Bool = false,
        color: @escaping @Sendable (_ column: Int, _ text: String) -> TextColor? = { _, _ in nil }
    ) {
        self.header = header
        self.rows = rows
        self.untruncatedColumns = untruncatedColumns
        self.droppableColumns = droppableColumns
        self.wrapsLastColumn = wrapsLastColumn
        self.color = color
    }

    /// The table's lines for a file, without trailing spaces.
    package var text: String {
        text(in: .plain)
    }

    /// Returns the table's lines, without trailing spaces; columns without any text are left out.
    package func text(in style: TextStyle) -> String {
        var table = removing(header.indices.filter { column in rows.allSatisfy { $0[column].isEmpty } })
        while let columns = style.columns, let next = table.droppableColumns.first, table.minimumWidth > columns {
            table = table.removing([next])
        }
        return table.lines(in: style)
    }

    /// Returns the table without some columns, unless it has no rows.
    private func removing(_ columns: [Int]) -> Self {
        guard !rows.isEmpty, !columns.isEmpty else { return self }
        let remaining = header.indices.filter { !columns.contains($0) }
        return Self(
            header: remaining.map { header[$0] },
            rows: rows.map { row in remaining.map { row[$0] } },
            untruncatedColumns: Set(untruncatedColumns.compactMap(remaining.firstIndex)),
            droppableColumns: droppableColumns.compactMap(remaining.firstIndex),
            wrapsLastColumn: wrapsLastColumn
        ) { [color] column, text in color(remaining[column], text) }
    }

    /// The minimum width of the table, with truncated columns.
    private var minimumWidth: Int {
        let widths = header.indices.map { column in
            let width = ([header] + rows).map { $0[column].tableCell.displayWidth }.max() ?? 0
            return untruncatedColumns.contains(column) ? width : min(width, Self.minimumWidth)
        }
        return widths.reduce(Self.gap.count * (widths.count - 1), +)
    }

    private func lines(in style: TextStyle) -> String {
        // A cell may come from another machine: it must neither start a row nor control the terminal.
        var rows = rows.map { $0.map(\.tableCell) }
        let widths = widths(of: rows, in: style)
        if wrapsLastColumn, let width = widths.last { rows = rows.flatMap { Self.wrapped($0, to: width) } }
        let rule = widths.map { String(repeating: "─", count: $0) }
        let head = [
            header, style.columns == nil ? header.map { String(repeating: "─", count: $0.displayWidth) } : rule,
        ]
        let lines = head.map { Self.line($0, widths) { _, text in text } }
        return
            (lines
            + rows.map { row in
                Self.line(row, widths) { column, cell in
                    guard style.hasColors else { return cell }
                    return color(column, row[column])?.applied(to: cell) ?? cell
                }
            }).joined(separator: "\n")
    }

    /// Returns a row, and further ones with the rest of its last cell.
    private static func wrapped(_ row: [String], to width: Int) -> [[String]] {
        let parts = (row.last ?? "").wrappedLines(width: width)
        return parts.enumerated().map { index, part in
            (index == 0 ? Array(row.dropLast()) : Array(repeating: "", count: row.count - 1)) + [part]
        }
    }

    private func widths(of rows: [[String]], in style: TextStyle) -> [Int] {
        var widths = header.indices.map { column in
            ([header] + rows).map { $0[column].displayWidth }.max() ?? 0
        }
        guard let columns = style.columns else { return widths }
        let availableWidth = columns - Self.gap.count * max(0, widths.count - 1)
        var excess = widths.reduce(0, +) - availableWidth
        let flexibleColumns = widths.indices.filter { !untruncatedColumns.contains($0) }
        while excess > 0, let widest = flexibleColumns.map({ widths[$0] }).max(), widest > Self.minimumWidth {
            // All of the widest columns shrink together, to the next width at most.
            let narrower = flexibleColumns.map { widths[$0] }.filter { $0 < widest }
            let next = max(Self.minimumWidth, narrower.max() ?? Self.minimumWidth)
            let widestColumns = flexibleColumns.filter { widths[$0] == widest }
            for column in widestColumns where excess > 0 {
                let reduction = min(widest - next, (excess + widestColumns.count - 1) / widestColumns.count)
                widths[column] -= reduction
                excess -= reduction
            }
        }
        return widths
    }

    private static func line(_ cells: [String], _ widths: [Int], color: (Int, String) -> String) -> String {
        // Spaces after the last cell that has text would only wrap.
        let last = cells.lastIndex { !$0.isEmpty } ?? -1
        return cells.indices.prefix(last + 1).map { column in
            let cell = cells[column].truncated(to: widths[column])
            let padding = column == last ? 0 : widths[column] - cell.displayWidth
            return color(column, cell) + String(repeating: " ", count: padding)
        }.joined(separator: gap)
    }
}

extension String {
    /// The text on one line, for a terminal.
    fileprivate var tableCell: String {
        split(whereSeparator: \.isNewline).joined(separator: " ").safe(for: .terminal)
    }
}
