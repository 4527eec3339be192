internal import GatewayStore
internal import PushRules
internal import WaypostSchema

/// Methods for sessions, and for the transient notifications that end with them.
extension PostgresTransaction {
    /// Opens a session of an agent; `nil` if there is no such agent.
    mutating func openSession(_ agent: AgentID) throws -> SessionEpoch? {
        guard let namespaceID = try namespaceID(of: agent.namespace), try lock(agent, in: namespaceID) else {
            return nil
        }
        let epoch = try connection.run(
            """
            INSERT INTO session (agent, namespace, gateway, epoch) VALUES ($1, $2, $3, nextval('session_epoch'))
            ON CONFLICT (agent) DO UPDATE SET gateway = excluded.gateway, epoch = excluded.epoch, late = NULL
            RETURNING epoch
            """,
            [.integer(agent.number), .integer(namespaceID), .integer(handle.gateway)]
        ).rows.map { SessionEpoch(rawValue: $0.integer(0)) }.first
        if let epoch { enqueue(.sessionOpened(agent, epoch)) }
        return epoch
    }

    /// Closes a session; `nil` if it is not the agent's current one.
    mutating func closeSession(
        _ agent: AgentID,
        _ epoch: SessionEpoch,
        attempts: [Int: DeliveryAttempts],
        ends: [TransientEnd],
        at now: Timestamp
    ) throws -> StoreChanges? {
        guard let namespaceID = try namespaceID(of: agent.namespace), try lock(agent, in: namespaceID) else {
            return nil
        }
        let deletion = try connection.run(
            "DELETE FROM session WHERE agent = $1 AND epoch = $2",
            [.integer(agent.number), .integer(epoch.rawValue)]
        )
        guard deletion.changedCount > 0 else { return nil }
        try recordAttempts(attempts, in: agent.namespace)
        try recordOutcomes(ends)
        return enqueue(try cleanUpAfterSession(of: agent, at: now), in: agent.namespace)
    }

    /// Drops the transient notifications that the stream of an ended session has not read; of an app with storage
    /// `apns`, each device keeps only the newest notification.
    ///
    /// If the gateway has ended, `time` is `nil`, because nobody knows it.
    mutating func cleanUpAfterSession(of agent: AgentID, at time: Timestamp?) throws -> StoreChanges {
        let unreadTransients = try connection.run(
            "SELECT sequence, batch FROM flight WHERE agent = $1 AND is_unread",
            [.integer(agent.number)]
        ).rows.map { row in
            TransientEnd(
                namespace: agent.namespace,
                sequence: row.integer(0),
                batch: BatchNumber(rawValue: row.integer(1)),
                state: .dropped,
                at: time ?? Timestamp(milliseconds: 0)
            )
        }
        try recordOutcomes(unreadTransients, atUnknownTime: time == nil)
        var changes = try collapseInbox(of: agent, at: time)
        changes.batches.formUnion(unreadTransients.map(\.batch))
        return changes
    }

    /// Keeps others from changing an agent; returns whether it exists.
    private func lock(_ agent: AgentID, in namespace: Int) throws -> Bool {
        try connection.run(
            "SELECT 1 FROM agent WHERE number = $1 AND namespace = $2 FOR NO KEY UPDATE",
            [.integer(agent.number), .integer(namespace)]
        ).count > 0
    }

    /// Counts transient notifications in their final states, and records these in the log.
    ///
    /// One that has ended before is ignored. If the time is unknown, the log has the time of arrival.
    mutating func recordOutcomes(_ ends: [TransientEnd], atUnknownTime: Bool = false) throws {
        let countedEnds = ends.filter { DeliveryState.counted.contains($0.state) && $0.state.isFinal }
        for (namespace, ends) in Dictionary(grouping: countedEnds, by: \.namespace) {
            guard let namespaceID = try namespaceID(of: namespace) else { continue }
            var states: [Int: DeliveryState] = [:]
            let ends = ends.filter { states.updateValue($0.state, forKey: $0.sequence) == nil }
            let removed = try connection.run(
                "DELETE FROM flight WHERE sequence = ANY ($1) AND namespace = $2 RETURNING sequence, batch",
                [.integers(ends.map(\.sequence)), .integer(namespaceID)]
            )
            let batches = Dictionary(removed.rows.map { ($0.integer(0), $0.integer(1)) }) { $1 }
            let settledEnds = ends.filter { batches[$0.sequence] != nil }
            for end in settledEnds { recordState(end.state, replacing: .accepted, of: batches[end.sequence] ?? 0) }
            try updateLog(settledEnds, atUnknownTime: atUnknownTime)
            guard !settledEnds.isEmpty else { continue }
            var changes = StoreChanges()
            changes.batches = Set(settledEnds.map(\.batch))
            _ = enqueue(changes, in: namespace)
            enqueue(.logged(settledEnds.map { $0.sequence...$0.sequence }, in: namespace))
        }
    }

    private func updateLog(_ ends: [TransientEnd], atUnknownTime: Bool) throws {
        guard keepsLog, !ends.isEmpty else { return }
        try connection.send(
            """
            UPDATE log SET state = given.state, attempts = attempts + given.count,
                ended = coalesce(given.moment, (SELECT created FROM log_batch WHERE number = log.batch), 0),
                first_sent = least(first_sent, given.first), last_sent = greatest(last_sent, given.last)
            FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
                AS given (sequence, state, moment, first, last, count)
            WHERE log.sequence = given.sequence AND log.ended IS NULL
            """,
            [
                .integers(ends.map(\.sequence)), .texts(ends.map(\.state.rawValue)),
                .integers(ends.map { atUnknownTime ? nil : $0.time.rawValue }),
                .integers(ends.map { $0.attempts?.first.rawValue }), .integers(ends.map { $0.attempts?.last.rawValue }),
                .integers(ends.map { $0.attempts?.count ?? 0 }),
            ]
        )
    }

    /// Adds the times and the number of sends to the log.
    mutating func recordAttempts(_ attempts: [Int: DeliveryAttempts], in namespace: Namespace) throws {
        guard keepsLog, !attempts.isEmpty, let namespaceID = try namespaceID(of: namespace) else { return }
        let sortedAttempts = attempts.sorted { $0.key < $1.key }
        for table in ["item", "log"] {
            try connection.send(
                """
                UPDATE \(table) SET attempts = attempts + given.count,
                    first_sent = least(first_sent, given.first), last_sent = greatest(last_sent, given.last)
                FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[])
                    AS given (sequence, first, last, count)
                WHERE \(table).sequence = given.sequence AND \(table).namespace + 0 = $5
                """,
                [
                    .integers(sortedAttempts.map(\.key)), .integers(sortedAttempts.map(\.value.first.rawValue)),
                    .integers(sortedAttempts.map(\.value.last.rawValue)), .integers(sortedAttempts.map(\.value.count)),
                    .integer(namespaceID),
                ]
            )
        }
        enqueue(.logged(sortedAttempts.map { $0.key...$0.key }, in: namespace))
    }
}
