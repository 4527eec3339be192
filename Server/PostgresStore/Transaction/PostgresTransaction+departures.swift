internal import GatewayStore
internal import PushRules
internal import WaypostSchema

/// Methods that settle the rest of gateways that have ended: sessions, and transient notifications.
extension PostgresTransaction {
    /// Removes the handles of gateways that are no longer there, so that these change nothing more, and settles a part of
    /// what they have left.
    ///
    /// - Parameter limit: the maximum number of sessions, and of notifications.
    /// - Returns: the number of sessions and notifications that were found; 0 if nothing is left.
    /// - Throws: `PostgresError`.
    mutating func settleDepartures(limit: Int) throws -> Int {
        let found = try closeSessions(limit: limit) + dropTransient(limit: limit)
        // After the agents, as in each other transaction, which ends with its handle.
        try connection.send(
            """
            DELETE FROM lane WHERE number IN (
                SELECT number FROM lane
                WHERE NOT EXISTS (SELECT 1 FROM gateway WHERE gateway.number = lane.gateway) ORDER BY number FOR UPDATE
            )
            """
        )
        return found
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
        let names = Dictionary(sessions.map { ($0.integer(0), $0.text(2)) }) { $1 }
        try lock(agents: names.keys.sorted(), in: Set(names.values).sorted())
        let closed = try connection.run(
            """
            DELETE FROM session USING unnest($1::bigint[], $2::bigint[]) AS gone (agent, epoch)
            WHERE session.agent = gone.agent AND session.epoch = gone.epoch RETURNING session.agent
            """,
            [.integers(sessions.map { $0.integer(0) }), .integers(sessions.map { $0.integer(1) })]
        ).rows.map { $0.integer(0) }
        for number in closed.sorted() {
            let agent = AgentID(namespace: Namespace(stored: names[number] ?? ""), number: number)
            _ = notify(try leaveUnreachable(agent, at: nil), in: agent.namespace)
        }
        return sessions.count
    }

    /// Drops the transient notifications that gateways which have ended had in memory.
    private mutating func dropTransient(limit: Int) throws -> Int {
        try drop(
            """
            NOT EXISTS (SELECT 1 FROM gateway WHERE gateway.number = flight.gateway)
            ORDER BY flight.sequence LIMIT $1
            """,
            [.integer(limit)]
        )
    }

    /// Drops transient notifications that this gateway has read.
    mutating func drop(_ sequences: [Int]) throws {
        _ = try drop("gateway = $1 AND sequence = ANY ($2)", [.integer(handle.gateway), .integers(sequences)])
    }

    /// Drops the transient notifications that a gateway has read and for which a condition is true; returns their number.
    private mutating func drop(_ condition: String, _ values: [PostgresValue]) throws -> Int {
        let flights = try connection.run(
            """
            SELECT flight.sequence, flight.batch, namespace.name FROM flight
            JOIN namespace ON namespace.number = flight.namespace WHERE NOT is_unread AND \(condition)
            """,
            values
        ).rows
        let ends = flights.map { row in
            TransientEnd(
                namespace: Namespace(stored: row.text(2)),
                sequence: row.integer(0),
                batch: BatchNumber(rawValue: row.integer(1)),
                state: .dropped,
                at: Timestamp(milliseconds: 0)
            )
        }
        try settle(ends, atUnknownTime: true)
        return flights.count
    }

    private func lock(agents: [Int], in namespaces: [String]) throws {
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
