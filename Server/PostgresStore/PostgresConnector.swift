internal import Synchronization

/// Opens the connections of a store, and reports failures: the first one, and then the first one after a success.
final class PostgresConnector: Sendable {
    private let address: PostgresAddress
    private let onFailure: @Sendable (String) -> Void
    private let isFailing = Mutex(false)

    /// Creates the connector of a store; it calls `onFailure` with reasons for people.
    init(_ address: PostgresAddress, onFailure: @escaping @Sendable (String) -> Void) {
        self.address = address
        self.onFailure = onFailure
    }

    /// Opens a connection.
    func connect() throws(PostgresError) -> PostgresConnection {
        do throws(PostgresError) {
            let connection = try PostgresConnection(address)
            isFailing.withLock { $0 = false }
            return connection
        } catch {
            note(error)
            throw error
        }
    }

    /// Reports an error that has ended a connection; others are not reported.
    func note(_ error: any Error) {
        guard let error = error as? PostgresError, error.endsConnection else { return }
        let isNew = isFailing.withLock { isFailing in
            defer { isFailing = true }
            return !isFailing
        }
        if isNew { onFailure(error.reason) }
    }
}
