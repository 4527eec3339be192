internal import GRDB
internal import GRDBSQLite

/// A statement that runs once for each of many notifications.
///
/// Its arguments are bound one after another as they are. GRDB makes a value of each argument, which takes longer than
/// the statement.
struct BoundStatement {
    private let statement: Statement
    private var bound: Int32 = 0

    /// Takes the statement from the cache of a connection, on which nothing else may use it in the meantime.
    init(_ database: Database, _ sql: String) throws {
        statement = try database.cachedStatement(sql: sql)
        sqlite3_reset(handle)
    }

    private var handle: SQLiteStatement {
        statement.sqliteStatement
    }

    /// Binds the next argument to an integer, or to NULL.
    mutating func bind(_ value: Int?) {
        bound += 1
        if let value {
            sqlite3_bind_int64(handle, bound, Int64(value))
        } else {
            sqlite3_bind_null(handle, bound)
        }
    }

    /// Binds the next argument to a text, or to NULL.
    mutating func bind(_ text: String?) {
        bound += 1
        guard var text else {
            sqlite3_bind_null(handle, bound)
            return
        }
        text.withUTF8 { bytes in
            // An empty buffer may have no address, which would bind NULL.
            guard let start = bytes.baseAddress, !bytes.isEmpty else {
                sqlite3_bind_text(handle, bound, "", 0, Self.copied)
                return
            }
            start.withMemoryRebound(to: CChar.self, capacity: bytes.count) { start in
                _ = sqlite3_bind_text(handle, bound, start, Int32(bytes.count), Self.copied)
            }
        }
    }

    /// Binds the next argument to bytes.
    mutating func bind(_ bytes: [UInt8]) {
        bound += 1
        guard !bytes.isEmpty else {
            sqlite3_bind_zeroblob(handle, bound, 0)
            return
        }
        bytes.withUnsafeBytes { _ = sqlite3_bind_blob(handle, bound, $0.baseAddress, Int32($0.count), Self.copied) }
    }

    /// Runs the statement with the bound arguments.
    ///
    /// - Returns: the integer in the first column of the first row that it returns; `nil` if it returns none.
    /// - Throws: `DatabaseError`.
    @discardableResult
    mutating func run() throws -> Int? {
        defer {
            sqlite3_reset(handle)
            bound = 0
        }
        var first: Int?
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_ROW: first = first ?? Int(sqlite3_column_int64(handle, 0))
            case SQLITE_DONE: return first
            case let code:
                let message = sqlite3_db_handle(handle).flatMap(sqlite3_errmsg).map { String(cString: $0) }
                throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message, sql: statement.sql)
            }
        }
    }

    /// SQLITE_TRANSIENT, which makes SQLite copy an argument (sqlite.org/c3ref/c_static.html).
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}
