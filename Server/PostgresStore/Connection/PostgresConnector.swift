internal import Synchronization

/// Opens the connections of a store, and reports failures: the first one, and then the first one after a success.
final class PostgresConnector: Sendable {
    private struct State {
        var isFailing = false

        /// The newest timeline of a server that was connected.
        var newestTimeline = 0

        /// The sockets of the connections that exist.
        var sockets: [WeakSocket] = []
    }

    private struct WeakSocket: Sendable {
        weak var socket: PostgresSocket?
    }

    private let address: PostgresAddress
    private let onFailure: @Sendable (String) -> Void
    private let onNotice: @Sendable (PostgresNotice) -> Void
    private let state = Mutex(State())

    /// Makes the server look up rows by their indexes.
    ///
    /// The server makes plans for the empty tables of a new database, in which a scan is cheap, and keeps them. All
    /// statements are written for indexes. The high costs that result must not make the server compile statements
    /// (`jit`).
    private static let planSettingsSQL = """
        SELECT set_config('enable_seqscan', 'off', false), set_config('enable_hashjoin', 'off', false),
            set_config('enable_mergejoin', 'off', false), set_config('jit', 'off', false)
        """

    /// Creates the connector of a store; it calls `onFailure` with reasons for people, and `onNotice` with each
    /// notice of the server.
    init(
        _ address: PostgresAddress,
        onFailure: @escaping @Sendable (String) -> Void,
        onNotice: @escaping @Sendable (PostgresNotice) -> Void
    ) {
        self.address = address
        self.onFailure = onFailure
        self.onNotice = onNotice
    }

    /// Opens a connection to a database that may not have the tables of a gateway yet.
    func connectToAnyDatabase() throws(PostgresError) -> PostgresConnection {
        try PostgresConnection(address, onNotice: onNotice)
    }

    /// Opens a connection to the server that accepts writes.
    ///
    /// - Parameter responseTimeout: the time within which the server must answer; `nil` for no limit.
    /// - Returns: the connection.
    /// - Throws: `PostgresError`, also if the server is one that another one has replaced.
    func connect(responseTimeout: Duration? = nil) throws(PostgresError) -> PostgresConnection {
        do throws(PostgresError) {
            let connection = try PostgresConnection(address, responseTimeout: responseTimeout, onNotice: onNotice)
            try connection.send(Self.planSettingsSQL)
            let timeline = try PostgresTimeline.advanceSequences(on: connection)
            let newestTimeline = state.withLock { state in
                state.newestTimeline = max(state.newestTimeline, timeline)
                return state.newestTimeline
            }
            guard timeline == newestTimeline else {
                throw .disconnected(
                    "the server is on timeline \(timeline), and another one is on \(newestTimeline) already"
                )
            }
            state.withLock { state in
                state.isFailing = false
                state.sockets.removeAll { $0.socket == nil }
                state.sockets.append(WeakSocket(socket: connection.socket))
            }
            return connection
        } catch {
            reportFailure(error)
            throw error
        }
    }

    /// Reports an error that has ended a connection; others are not reported.
    ///
    /// If the server is silent, all other connections are cut, because nothing else ends their waits.
    func reportFailure(_ error: any Error) {
        guard let error = error as? PostgresError, error.endsConnection else { return }
        let (isNew, sockets) = state.withLock { state in
            defer { state.isFailing = true }
            return (!state.isFailing, state.sockets.compactMap(\.socket))
        }
        if isNew { onFailure(error.reason) }
        if error == .timedOut { for socket in sockets { socket.cut() } }
    }

    /// Reports something else that people should know.
    func report(_ message: String) {
        onFailure(message)
    }
}
