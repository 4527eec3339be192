/// A table of a report.
public struct RunTable: Codable, Sendable, Equatable {
    /// The titles of the columns.
    public var header: [String]

    /// The rows, each with a cell for each column.
    public var rows: [[String]]

    /// Creates the value from its parts.
    public init(header: [String], rows: [[String]]) {
        self.header = header
        self.rows = rows
    }
}
