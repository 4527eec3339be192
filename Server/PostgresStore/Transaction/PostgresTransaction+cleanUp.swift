internal import GatewayStore
internal import PushRules
internal import WaypostSchema

/// Methods that clean up after gateways that have ended: their sessions and transient notifications.
extension PostgresTransaction {
    /// Deletes the handles of gateways that have ended, so that they change nothing more, and cleans up a part of their
    /// sessions and transient notifications.
    ///
    /// - Parameter limit: the maximum number of sessions, and of notifications.
    /// - Returns: the number of sessions and notifications that were found; 0 if nothing is left.
    /// - Throws: `PostgresError`.
    mutating func cleanUpAfterEndedGateways(limit: Int) throws -> Int {
        let count = try closeSessions(limit: limit) + dropTransientsOfEndedGateways(limit: limit)
        // The handles are locked after the agents, as in all other transactions.
        try connection.send(
            """
            DELETE FROM lane WHERE number IN (
                SELECT number FROM lane
                WHERE NOT EXISTS (SELECT 1 FROM gateway WHERE gateway.number = lane.gateway) ORDER BY number FOR UPDATE
            )
            """
        )
        return count
    }

    /// Closes sessions of gateways that have ended; a device that has connected to another gateway keeps that session.
    private mutating func closeSessions(limit: Int) throws -> Int {
        let sessions = try connection.run(
            """
            SELECT session.agent, session.epoch, namespace.name FROM session
            JOIN namespace ON namespace.number = session.namespace
            WHERE NOT EXISTS (SELECT 1 FROM gateway WHERE gateway.number = session.gateway)
            ORDER BY session.agent LIMIT $1
            """,
            [.integer(limit)]
        ).rows
        guard !sessions.isEmpty else { return 0 }
        let namespaceNames = Dictionary(sessions.map { ($0.integer(0), $0.text(2)) }) { $1 }
        try lock(agents: namespaceNames.keys.sorted(), in: Set(namespaceNames.values).sorted())
        let closedAgents = try connection.run(
            """
            DELETE FROM session USING unnest($1::bigint[], $2::bigint[]) AS gone (agent, epoch)
            WHERE session.agent = gone.agent AND session.epoch = gone.epoch RETURNING session.agent
            """,
            [.integers(sessions.map { $0.integer(0) }), .integers(sessions.map { $0.integer(1) })]
        ).rows.map { $0.integer(0) }
        for number in closedAgents.sorted() {
            let agent = AgentID(namespace: Namespace(databaseText: namespaceNames[number] ?? ""), number: number)
            _ = enqueue(try cleanUpAfterSession(of: agent, at: nil), in: agent.namespace)
        }
        return sessions.count
    }

    /// Drops the transient notifications that gateways which have ended had in memory.
    private mutating func dropTransientsOfEndedGateways(limit: Int) throws -> Int {
        try dropTransients(
            where: """
                NOT EXISTS (SELECT 1 FROM gateway WHERE gateway.number = flight.gateway)
                ORDER BY flight.sequence LIMIT $1
                """,
            [.integer(limit)]
        )
    }

    /// Drops transient notifications that this gateway has read.
    mutating func dropTransients(_ sequences: [Int]) throws {
        _ = try dropTransients(
            where: "gateway = $1 AND sequence = ANY ($2)",
            [.integer(handle.gateway), .integers(sequences)]
        )
    }

    /// Drops the transient notifications that a gateway has read and that match a condition; returns their number.
    private mutating func dropTransients(where condition: String, _ values: [PostgresValue]) throws -> Int {
        let rows = try connection.run(
            """
            SELECT flight.sequence, flight.batch, namespace.name FROM flight
            JOIN namespace ON namespace.number = flight.namespace WHERE NOT is_unread AND \(condition)
            """,
            values
        ).rows
        let ends = rows.map { row in
            TransientEnd(
                namespace: Namespace(databaseText: row.text(2)),
                sequence: row.integer(0),
                batch: BatchNumber(rawValue: row.integer(1)),
                state: .dropped,
                at: Timestamp(milliseconds: 0)
            )
        }
        try recordOutcomes(ends, atUnknownTime: true)
        return rows.count
    }

    /// Keeps others from changing agents, and from deleting their namespaces.
    func lock(agents: [Int], in namespaces: [String]) throws {
        try connection.send(
            "SELECT 1 FROM namespace WHERE name = ANY ($1) ORDER BY number FOR KEY SHARE",
            [.texts(namespaces)]
        )
        _ = try connection.run(
            "SELECT 1 FROM agent WHERE number = ANY ($1) ORDER BY number FOR NO KEY UPDATE",
            [.integers(agents)]
        )
    }
}
