internal import GRDB
internal import GRDBSQLite

/// A statement that runs once for each of many notifications.
///
/// Its arguments are bound one after another as they are. GRDB makes a value of each argument, which takes longer than
/// the statement.
struct BoundStatement {
    private let statement: Statement
    private var boundCount: Int32 = 0

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
        boundCount += 1
        if let value {
            sqlite3_bind_int64(handle, boundCount, Int64(value))
        } else {
            sqlite3_bind_null(handle, boundCount)
        }
    }

    /// Binds the next argument to a text, or to NULL.
    mutating func bind(_ text: String?) {
        boundCount += 1
        guard var text else {
            sqlite3_bind_null(handle, boundCount)
            return
        }
        text.withUTF8 { bytes in
            // An empty buffer may have no address, which would bind NULL.
            guard let start = bytes.baseAddress, !bytes.isEmpty else {
                sqlite3_bind_text(handle, boundCount, "", 0, Self.transientDestructor)
                return
            }
            start.withMemoryRebound(to: CChar.self, capacity: bytes.count) { start in
                _ = sqlite3_bind_text(handle, boundCount, start, Int32(bytes.count), Self.transientDestructor)
            }
        }
    }

    /// Binds the next argument to bytes.
    mutating func bind(_ bytes: [UInt8]) {
        boundCount += 1
        guard !bytes.isEmpty else {
            sqlite3_bind_zeroblob(handle, boundCount, 0)
            return
        }
        bytes.withUnsafeBytes {
            _ = sqlite3_bind_blob(handle, boundCount, $0.baseAddress, Int32($0.count), Self.transientDestructor)
        }
    }

    /// Binds the next argument to the value in a column of another statement's row.
    mutating func bind(_ column: Int32, of row: BoundRow) {
        boundCount += 1
        sqlite3_bind_value(handle, boundCount, sqlite3_column_value(row.handle, column))
    }

    /// Returns the next row of the result for the bound arguments; `nil` after the last one.
    ///
    /// - Throws: `DatabaseError`.
    mutating func next() throws -> BoundRow? {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return BoundRow(handle: handle)
        case SQLITE_DONE:
            reset()
            return nil
        case let code:
            let message = sqlite3_db_handle(handle).flatMap(sqlite3_errmsg).map { String(cString: $0) }
            reset()
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message, sql: statement.sql)
        }
    }

    /// Ends the statement before its last row, so that it can run again with new arguments.
    mutating func reset() {
        sqlite3_reset(handle)
        boundCount = 0
    }

    /// Runs the statement with the bound arguments.
    ///
    /// - Returns: the integer in the first column of the first row that it returns; `nil` if it returns none.
    /// - Throws: `DatabaseError`.
    @discardableResult
    mutating func run() throws -> Int? {
        var first: Int?
        while let row = try next() { first = first ?? row.integer(0) }
        return first
    }

    /// SQLITE_TRANSIENT, which makes SQLite copy an argument (sqlite.org/c3ref/c_static.html).
    private static let transientDestructor = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

/// A row of the result of a `BoundStatement`; valid until the next row.
struct BoundRow {
    fileprivate let handle: SQLiteStatement

    /// Returns the integer in a column; `nil` for NULL.
    func integer(_ column: Int32) -> Int? {
        sqlite3_column_type(handle, column) == SQLITE_NULL ? nil : Int(sqlite3_column_int64(handle, column))
    }

    /// Calls `body` with the bytes of the text in a column, unless it is NULL.
    func withText(_ column: Int32, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        guard let start = sqlite3_column_text(handle, column) else { return }
        body(UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }
}
