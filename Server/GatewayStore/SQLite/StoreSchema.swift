internal import GRDB
internal import TextBasics

/// The schema of a database: the SQL of its tables, indexes, triggers and views.
struct StoreSchema {
    /// The SQL of each part, by the kind and name of the part, such as `table item`; a table comes before its indexes.
    private let parts: [(name: String, sql: String)]

    /// Reads the schema of a database.
    init(of database: Database) throws {
        // SQLite makes statistics if a person runs ANALYZE; they change no result.
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT coalesce(type || ' ' || name, ''), coalesce(sql, '') FROM sqlite_master
                WHERE coalesce(type || ' ' || name, '') NOT GLOB 'table sqlite_stat[1-4]' ORDER BY rowid
                """
        )
        parts = rows.map { row in (name: row[0] as String, sql: row[1] as String) }
    }

    /// Creates the schema that the gateway makes in a version.
    init(version: Int) throws {
        let queue = try DatabaseQueue()
        try Migrations.migrator.migrate(queue, upTo: "\(version)")
        self = try queue.read { database in try Self(of: database) }
    }

    /// Returns the first difference from the schema that the gateway makes, in words; `nil` if there is none.
    func firstDifference(from expected: Self) -> String? {
        let expectedSQL = Dictionary(expected.parts.map { ($0.name, $0.sql) }) { first, _ in first }
        for part in parts {
            let name = part.name.safe(for: .excerpt)
            guard let sql = expectedSQL[part.name] else { return "it has the \(name), which no gateway makes" }
            guard sql == part.sql else { return "its \(name) is not as a gateway makes it" }
        }
        let names = Set(parts.map { $0.name })
        return expected.parts.first { !names.contains($0.name) }.map { "it does not have the \($0.name)" }
    }
}
