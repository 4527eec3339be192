internal import GatewayStore

/// The reason why a statement failed.
enum PostgresError: Error, Equatable {
    /// The connection is lost or cannot be opened.
    case disconnected(String)

    /// The server has not responded in time.
    case timedOut

    /// The server refused a statement, for the reason with this SQLSTATE.
    case refused(code: String, message: String)

    /// Returns the error of a transaction that read outdated data and must be retried.
    static func conflict(_ reason: String) -> Self {
        .refused(code: "40001", message: reason)
    }

    /// Whether another transaction was in the way: this one has not changed anything, and can be made again.
    var isTransient: Bool {
        guard case .refused(let code, _) = self else { return false }
        // A unique key that another handle has added in the meantime is found when the transaction is made again.
        return ["40001", "40P01", "23505"].contains(code)
    }

    /// The reason, for people.
    var reason: String {
        switch self {
        case .disconnected(let reason): reason
        case .timedOut: "the server does not answer"
        case .refused(let code, let message): "\(message) (\(code))"
        }
    }

    /// Whether the connection must be closed.
    var endsConnection: Bool {
        switch self {
        case .disconnected, .timedOut: true
        // The server shuts down, ended an idle transaction, or no longer accepts writes because another one does.
        case .refused(let code, _): code.hasPrefix("57P") || code.hasPrefix("25P03") || code == "25006"
        }
    }
}

extension StoreError {
    /// Maps an error of PostgreSQL to an error of the store (PostgreSQL, appendix A, "Error Codes").
    init(_ error: any Error) {
        switch error {
        case let error as StoreError: self = error
        case PostgresError.disconnected, PostgresError.timedOut: self = .unavailable
        case PostgresError.refused(let code, let message): self = Self.kind(of: code, message)
        default: self = .failed("\(error)")
        }
    }

    private static func kind(of code: String, _ message: String) -> Self {
        switch code {
        case "53100": .full
        case "25006": .unavailable
        case "55P03", "40001", "40P01": .busy
        case _ where ["08", "57", "53"].contains(code.prefix(2)) || code == "25P03": .unavailable
        default: .failed("PostgreSQL: \(message) (\(code))")
        }
    }
}
