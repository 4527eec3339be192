internal import GatewayStore
internal import Synchronization
internal import WaypostSchema

/// Sends the heartbeat of a gateway and checks the others, on its own connection, which no long transaction blocks.
///
/// The server must respond within a time limit, so the heartbeat also detects a silent server for all other
/// connections.
final class GatewayHeartbeat: Sendable {
    /// The result of a heartbeat.
    struct Report: Sendable {
        var members: ClusterMembers

        /// Whether this gateway is among the members.
        var isMember: Bool

        /// The number of gateways that were removed, because they have ended.
        var removedCount = 0

        /// Whether it is time to find events that this gateway may have missed.
        var needsFullCheck: Bool
    }

    /// The number of heartbeats for each full check.
    private static let fullCheckInterval = 10

    private struct State {
        var watch = MemberWatch()
        var beatCount = 0
    }

    /// A pool of one connection.
    ///
    /// A beat that is sent twice and a gateway that is removed twice do no harm.
    private let connectionPool: PostgresConnectionPool
    private let state = Mutex(State())

    /// Creates the heartbeat, which connects at the first beat.
    init(_ connector: PostgresConnector, responseTimeout: Duration) {
        connectionPool = PostgresConnectionPool(count: 1) { () throws(PostgresError) in
            let connection = try connector.connect(responseTimeout: responseTimeout)
            // A beat need not survive the server's machine, and must not wait for a replica.
            try connection.send("SET synchronous_commit = off")
            return connection
        } onFailure: {
            connector.reportFailure($0)
        }
    }

    /// Adds a beat of a gateway, and removes the gateways that have ended.
    func send(for gateway: Int, address: String?) async throws(StoreError) -> Report {
        let rows = try await connectionPool.withConnection { connection in
            try connection.send(
                "UPDATE gateway SET beats = beats + 1, address = coalesce($2, address) WHERE number = $1",
                [.integer(gateway), .text(address)]
            )
            return try connection.run(
                """
                SELECT number, address, (extract(epoch FROM joined) * 1000)::bigint, beats,
                    (extract(epoch FROM clock_timestamp()) * 1000)::bigint FROM gateway
                """
            ).rows.map { row in
                let member = ClusterMembers.Member(
                    number: row.integer(0),
                    address: row.optionalText(1),
                    joinedAt: Timestamp(milliseconds: row.integer(2)),
                    isSelf: row.integer(0) == gateway
                )
                return (member: member, beats: row.integer(3), time: Timestamp(milliseconds: row.integer(4)))
            }
        }
        let others = rows.filter { !$0.member.isSelf }.map { ($0.member.number, $0.beats) }
        let (lastBeatsOfEnded, needsFullCheck) = state.withLock { state in
            state.beatCount += 1
            return (
                state.watch.endedMembers(afterRecording: Dictionary(others) { $1 }),
                state.beatCount % Self.fullCheckInterval == 0
            )
        }
        return Report(
            members: ClusterMembers(
                rows.map(\.member).filter { lastBeatsOfEnded[$0.number] == nil },
                at: rows.first?.time
            ),
            isMember: rows.count > others.count,
            removedCount: try await remove(lastBeatsOfEnded),
            needsFullCheck: needsFullCheck
        )
    }

    /// Removes gateways, and ends the connections on which they change the store; returns their number.
    ///
    /// A gateway that has sent a beat since `lastBeatsOfEnded` was read is not removed.
    ///
    /// A gateway that was stopped while it sent a transaction would keep its locks otherwise. The server ends only a
    /// transaction that waits for the next statement.
    private func remove(_ lastBeatsOfEnded: [Int: Int]) async throws(StoreError) -> Int {
        guard !lastBeatsOfEnded.isEmpty else { return 0 }
        return try await connectionPool.withConnection { connection in
            try connection.run(
                """
                WITH removed AS (
                    DELETE FROM gateway USING unnest($1::bigint[], $2::bigint[]) AS ended (number, beats)
                    WHERE gateway.number = ended.number AND gateway.beats = ended.beats RETURNING gateway.number
                )
                SELECT removed.number, (
                    SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                    WHERE datname = current_database() AND usename = current_user
                        AND application_name IN (SELECT $3 || lane.number FROM lane WHERE gateway = removed.number)
                ) FROM removed
                """,
                [
                    .integers(lastBeatsOfEnded.map(\.key)), .integers(lastBeatsOfEnded.map(\.value)),
                    .text(StoreHandle.applicationPrefix),
                ]
            ).count
        }
    }

    /// Closes the connection.
    func close() {
        connectionPool.close()
    }
}
