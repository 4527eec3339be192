import Foundation
import GRDB

/// The rows that batches add to the store of a gateway, inserted with GRDB alone.
///
/// The schema and the rows are those of the gateway's own file, so the comparison stays fair when they change.
struct BareInserts {
    /// The rows of a table, the first of which existed before the batches.
    private struct Table {
        let insert: String
        let earlier: ArraySlice<StatementArguments>
        let added: ArraySlice<StatementArguments>
    }

    private let pool: DatabasePool
    private let tables: [Table]

    /// Creates a database with the schema of another one, and with the rows that this had before the batches.
    ///
    /// The counts say how many rows its tables had then.
    init(from file: URL, before counts: [String: Int], in folder: URL) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let source = try DatabaseQueue(path: file.path, configuration: configuration)
        let (pageSize, schema, contents) = try source.read { database in
            (
                try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 4_096,
                try String.fetchAll(
                    database,
                    sql: "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"
                ),
                try Self.tables(database, counts)
            )
        }
        configuration.prepareDatabase { database in
            // As the gateway: each commit is synced, and the write-ahead log is copied when it has 8 MiB.
            try database.execute(sql: "PRAGMA page_size = \(pageSize); PRAGMA cache_size = -16384")
            try database.execute(sql: "PRAGMA wal_autocheckpoint = \((8 << 20) / pageSize)")
        }
        pool = try DatabasePool(path: folder.appending(path: "bare.sqlite").path, configuration: configuration)
        try pool.write { database in
            for sql in schema { try database.execute(sql: sql) }
            for table in contents { try Self.insert(table.earlier, of: table, database) }
        }
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        tables = contents
    }

    /// Returns the number of rows of each table.
    static func counts(in file: URL) throws -> [String: Int] {
        var configuration = Configuration()
        configuration.readonly = true
        return try DatabaseQueue(path: file.path, configuration: configuration).read { database in
            try Dictionary(
                uniqueKeysWithValues: names(database).map { name in
                    (name, try Int.fetchOne(database, sql: "SELECT count(*) FROM \(name)") ?? 0)
                }
            )
        }
    }

    /// Inserts the rows that the batches added, in a number of transactions.
    func run(transactions: Int) throws -> Usage {
        let start = Usage.now([])
        for number in 0..<transactions {
            try pool.write { database in
                for table in tables {
                    let place = { table.added.startIndex + table.added.count * $0 / transactions }
                    try Self.insert(table.added[place(number)..<place(number + 1)], of: table, database)
                }
            }
        }
        return Usage.now([]) - start
    }

    private static func insert(_ rows: ArraySlice<StatementArguments>, of table: Table, _ database: Database) throws {
        let statement = try database.cachedStatement(sql: table.insert)
        for row in rows {
            statement.setUncheckedArguments(row)
            try statement.execute()
        }
    }

    private static func tables(_ database: Database, _ counts: [String: Int]) throws -> [Table] {
        try names(database).map { name in
            let columns = try database.columns(in: name).map(\.name)
            let marks = columns.map { _ in "?" }.joined(separator: ", ")
            // The numbers of new rows are greater, so they come last.
            let rows = try Row.fetchAll(database, sql: "SELECT * FROM \(name)")
                .map { StatementArguments($0.databaseValues) }
            return Table(
                insert: "INSERT INTO \(name) (\(columns.joined(separator: ", "))) VALUES (\(marks))",
                earlier: rows.prefix(counts[name] ?? 0),
                added: rows.dropFirst(counts[name] ?? 0)
            )
        }
    }

    private static func names(_ database: Database) throws -> [String] {
        try String.fetchAll(
            database,
            sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        )
    }
}
