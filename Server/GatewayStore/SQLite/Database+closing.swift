internal import CSQLite
internal import GRDB

extension Database {
    /// Keeps SQLite from copying the write-ahead log into the database when this connection is closed as the last one.
    ///
    /// After a failed sync, parts of the log may be missing on the disk.
    ///
    /// - Throws: `DatabaseError`.
    func keepLogOnClose() throws {
        let code = waypost_sqlite_keep_log_on_close(sqliteConnection)
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }
}
