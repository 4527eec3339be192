internal import GatewayStore
internal import WaypostSchema

/// The identity of a handle on the store: its row in the table `lane`, which exists as long as the handle is alive.
///
/// Each transaction updates the row. So a handle whose row another one has deleted, because it seemed to have ended,
/// changes nothing more.
struct Lane: Sendable, Hashable {
    /// The number of the handle, under which it counts.
    var number: Int

    /// The number of its gateway, to which sessions belong.
    var gateway: Int

    /// The key of the advisory lock that the handle keeps while it is alive.
    var lockKey: Int {
        Self.lockKey(number)
    }

    private static func lockKey(_ number: Int) -> Int {
        1 << 61 | number
    }

    /// Adds a lane for a new gateway, or for `gateway`.
    static func add(_ connection: PostgresConnection, to gateway: Int?) throws -> Self {
        let added = try connection.run(
            "INSERT INTO lane (gateway) VALUES ($1) RETURNING number",
            [.integer(gateway ?? 0)]
        )
        let number = added.rows.first?.integer(0) ?? 0
        try connection.send("UPDATE lane SET gateway = number WHERE number = $1 AND gateway = 0", [.integer(number)])
        return Self(number: number, gateway: gateway ?? number)
    }

    /// Waits until no earlier handle is alive, for at most 3 seconds; returns whether this is the case.
    ///
    /// The connection of a gateway that was killed may live for a moment. Of two that open the store together, the
    /// first one does not wait for the second.
    static func waitUntilAlone(_ connection: PostgresConnection, _ lane: Self) throws(PostgresError) -> Bool {
        do throws(PostgresError) {
            try connection.send("SET lock_timeout = '3s'")
            _ = try connection.run(
                "SELECT pg_advisory_lock($2 | number), pg_advisory_unlock($2 | number) FROM lane WHERE number < $1",
                [.integer(lane.number), .integer(lockKey(0))]
            )
            return true
        } catch .refused(code: "55P03", _) {
            return false
        }
    }

    /// Closes the sessions of gateways that have ended, and drops their transient notifications.
    ///
    /// It waits for transactions of a gateway
    /// that only seems to have ended; from then on, that one changes nothing.
    ///
    /// - Parameters:
    ///   - connection: a connection.
    ///   - lane: the lane of the new handle.
    ///   - logRetention: the seconds for which the log keeps notifications that have ended.
    /// - Returns: the events for other gateways.
    /// - Throws: `PostgresError`.
    static func settleOthers(
        _ connection: PostgresConnection,
        _ lane: Self,
        logRetention: Int
    ) throws -> [StoreEvent] {
        var transaction = PostgresTransaction(connection, lane: lane, logRetention: logRetention)
        try connection.send("BEGIN")
        let gone = try connection.run(
            """
            DELETE FROM lane WHERE number <> $1 AND pg_try_advisory_xact_lock($2 | number) RETURNING gateway, number
            """,
            [.integer(lane.number), .integer(lockKey(0))]
        ).rows.map { (gateway: $0.integer(0), number: $0.integer(1)) }
        let gateways = Set(gone.filter { $0.gateway == $0.number }.map(\.gateway))
        let agents = try connection.run(
            """
            SELECT namespace.name, agent.number FROM agent JOIN namespace ON namespace.number = agent.namespace
            LEFT JOIN session ON session.agent = agent.number
            WHERE session.gateway = ANY ($1)
                OR session.agent IS NULL AND EXISTS (SELECT 1 FROM flight WHERE flight.agent = agent.number)
            ORDER BY agent.number FOR NO KEY UPDATE OF agent
            """,
            [.integers(gateways.sorted())]
        ).rows.map { AgentID(namespace: Namespace(stored: $0.text(0)), number: $0.integer(1)) }
        for agent in agents {
            try connection.send("DELETE FROM session WHERE agent = $1", [.integer(agent.number)])
            _ = transaction.notify(try transaction.leaveUnreachable(agent, at: nil), in: agent.namespace)
        }
        try transaction.writeTallies()
        _ = try connection.run("COMMIT")
        return transaction.events
    }
}
