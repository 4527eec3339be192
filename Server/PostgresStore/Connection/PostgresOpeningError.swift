/// The reason why a database could not be opened; its contents have not changed then.
package enum PostgresOpeningError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The database has tables, but not those of a gateway.
    case foreign(database: String)

    /// A newer gateway has written the database, in a version above the supported one.
    case unsupportedVersion(database: String, version: Int, supported: Int)

    /// The server is not running, cannot be reached, or recovers: it may be ready later.
    case notReady(database: String, reason: String)

    /// The server has refused the connection or a statement.
    case failed(database: String, reason: String)

    /// A description of what is wrong and what to do.
    package var description: String {
        switch self {
        case .foreign(let database):
            "\(database) has tables of another program, and was left unchanged; use an empty database"
        case .unsupportedVersion(let database, let version, let supported):
            """
            \(database) was written by a newer gateway (its version is \(version), this gateway supports \(supported)), \
            and was left unchanged; use the newer gateway, or another database
            """
        case .failed(let database, let reason), .notReady(let database, let reason):
            "\(database) cannot be opened: \(reason)"
        }
    }
}

extension PostgresOpeningError {
    /// Maps an error of a connection that opens a database.
    init(_ error: any Error, database: String) {
        switch error {
        case PostgresError.rejected(let reason): self = .failed(database: database, reason: reason)
        case let error as PostgresError where error.endsConnection:
            self = .notReady(database: database, reason: error.reason)
        case let error as PostgresError: self = .failed(database: database, reason: error.reason)
        default: self = .failed(database: database, reason: "\(error)")
        }
    }
}
