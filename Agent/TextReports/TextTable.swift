internal import Attribution
internal import TextBasics

/// A table of plain text: each column is as wide as its widest cell, with two spaces between columns.
///
/// On a terminal, the widest columns are shortened until the table fits.
package struct TextTable: TextPresentable {
    /// The width below which a column is not shortened.
    private static let minimumWidth = 8

    /// The space between two columns.
    private static let gap = "  "

    /// The titles of the columns.
    package let header: [String]

    /// The cells of each row, one for each title.
    package let rows: [[String]]

    /// The columns that are never shortened, because people copy from them.
    private let kept: Set<Int>

    /// The columns that a terminal without room for them leaves out, the first one first.
    private let dispensable: [Int]

    /// Whether the texts of the last column continue on further lines, instead of being shortened.
    private let wrapsLast: Bool

    /// Returns the color of a cell, given its column and its text.
    private let color: @Sendable (_ column: Int, _ text: String) -> TextColor?

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - header: the titles of the columns.
    ///   - rows: the cells of each row, one for each title.
    ///   - kept: the columns that are never shortened, because people copy from them.
    ///   - dispensable: the columns that a terminal without room for them leaves out, the first one first.
    ///   - wrapsLast: whether the texts of the last column continue on further lines, instead of being shortened.
    ///   - color: returns the color of a cell, given its column and its text.
    package init(
        header: [String],
        rows: [[String]],
        keeping kept: Set<Int> = [],
        sparing dispensable: [Int] = [],
        wrappingLast wrapsLast: Bool = false,
        color: @escaping @Sendable (_ column: Int, _ text: String) -> TextColor? = { _, _ in nil }
    ) {
        self.header = header
        self.rows = rows
        self.kept = kept
        self.dispensable = dispensable
        self.wrapsLast = wrapsLast
        self.color = color
    }

    /// The table's lines for a file, without trailing spaces.
    package var text: String {
        text(in: .plain)
    }

    /// Returns the table's lines, without trailing spaces; columns without any text are left out.
    package func text(in style: TextStyle) -> String {
        var table = leavingOut(header.indices.filter { column in rows.allSatisfy { $0[column].isEmpty } })
        while let columns = style.columns, let next = table.dispensable.first, table.minimumWidth > columns {
            table = table.leavingOut([next])
        }
        return table.lines(in: style)
    }

    /// Returns the table without some columns, unless it has no rows.
    private func leavingOut(_ columns: [Int]) -> Self {
        guard !rows.isEmpty, !columns.isEmpty else { return self }
        let remaining = header.indices.filter { !columns.contains($0) }
        return Self(
            header: remaining.map { header[$0] },
            rows: rows.map { row in remaining.map { row[$0] } },
            keeping: Set(kept.compactMap(remaining.firstIndex)),
            sparing: dispensable.compactMap(remaining.firstIndex),
            wrappingLast: wrapsLast
        ) { [color] column, text in color(remaining[column], text) }
    }

    /// The width to which the table can be shortened.
    private var minimumWidth: Int {
        let widths = header.indices.map { column in
            let width = ([header] + rows).map { $0[column].safe(for: .terminal).displayWidth }.max() ?? 0
            return kept.contains(column) ? width : min(width, Self.minimumWidth)
        }
        return widths.reduce(Self.gap.count * (widths.count - 1), +)
    }

    private func lines(in style: TextStyle) -> String {
        // A cell may come from another machine: it must neither start a row nor control the terminal.
        var rows = rows.map { $0.map { $0.safe(for: .terminal) } }
        let widths = widths(of: rows, in: style)
        if wrapsLast, let width = widths.last { rows = rows.flatMap { Self.wrapped($0, to: width) } }
        let rule = widths.map { String(repeating: "─", count: $0) }
        let head = [
            header, style.columns == nil ? header.map { String(repeating: "─", count: $0.displayWidth) } : rule,
        ]
        let lines = head.map { Self.line($0, widths) { _, text in text } }
        return
            (lines
            + rows.map { row in
                Self.line(row, widths) { column, shown in
                    guard style.hasColors else { return shown }
                    return color(column, row[column])?.applied(to: shown) ?? shown
                }
            }).joined(separator: "\n")
    }

    /// Returns a row, and further ones with the rest of its last cell.
    private static func wrapped(_ row: [String], to width: Int) -> [[String]] {
        let parts = (row.last ?? "").brokenBetweenWords(to: width)
        return parts.enumerated().map { index, part in
            (index == 0 ? Array(row.dropLast()) : Array(repeating: "", count: row.count - 1)) + [part]
        }
    }

    private func widths(of rows: [[String]], in style: TextStyle) -> [Int] {
        var widths = header.indices.map { column in
            ([header] + rows).map { $0[column].displayWidth }.max() ?? 0
        }
        guard let columns = style.columns else { return widths }
        let room = columns - Self.gap.count * max(0, widths.count - 1)
        var excess = widths.reduce(0, +) - room
        let flexible = widths.indices.filter { !kept.contains($0) }
        while excess > 0, let widest = flexible.map({ widths[$0] }).max(), widest > Self.minimumWidth {
            // All of the widest columns shrink together, to the next width at most.
            let narrower = flexible.map { widths[$0] }.filter { $0 < widest }
            let next = max(Self.minimumWidth, narrower.max() ?? Self.minimumWidth)
            let shrinking = flexible.filter { widths[$0] == widest }
            for column in shrinking where excess > 0 {
                let cut = min(widest - next, (excess + shrinking.count - 1) / shrinking.count)
                widths[column] -= cut
                excess -= cut
            }
        }
        return widths
    }

    private static func line(_ cells: [String], _ widths: [Int], color: (Int, String) -> String) -> String {
        // Spaces after the last cell that has text would only wrap.
        let last = cells.lastIndex { !$0.isEmpty } ?? -1
        return cells.indices.prefix(last + 1).map { column in
            let shown = cells[column].truncated(to: widths[column])
            let padding = column == last ? 0 : widths[column] - shown.displayWidth
            return color(column, shown) + String(repeating: " ", count: padding)
        }.joined(separator: gap)
    }
}
