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

    /// Closes sessions; returns the changes for each, `nil` if it is not the current one of its agent.
    ///
    /// The statements are for all sessions together, except those that read and collapse inboxes.
    mutating func closeSessions(_ closings: [SessionClosing]) throws -> [StoreChanges?] {
        let namespaces = Set(closings.map(\.agent.namespace.databaseText)).sorted()
        try lock(agents: Set(closings.map(\.agent.number)).sorted(), in: namespaces)
        var epochs = try deleteSessions(closings)
        let isClosed = closings.map { closing in
            guard epochs[closing.agent.number] == closing.epoch else { return false }
            // A later closing of the same session changes nothing.
            epochs[closing.agent.number] = nil
            return true
        }
        let closed = zip(closings, isClosed).filter(\.1).map(\.0)
        for (namespace, closings) in Dictionary(grouping: closed, by: \.agent.namespace) {
            try recordAttempts(Self.attempts(of: closings), in: namespace)
        }
        try recordOutcomes(closed.flatMap(\.ends))
        return try zip(closings, isClosed).map { closing, isClosed in
            guard isClosed else { return nil }
            let changes = try cleanUpAfterSession(of: closing.agent, at: closing.time)
            return enqueue(changes, in: closing.agent.namespace)
        }
    }

    /// Deletes those sessions that are current; returns their epochs, by the numbers of their agents.
    private func deleteSessions(_ closings: [SessionClosing]) throws -> [Int: SessionEpoch] {
        let rows = try connection.run(
            """
            DELETE FROM session USING unnest($1::bigint[], $2::bigint[]) AS ended (agent, epoch)
            WHERE session.agent = ended.agent AND session.epoch = ended.epoch RETURNING session.agent, session.epoch
            """,
            [.integers(closings.map(\.agent.number)), .integers(closings.map(\.epoch.rawValue))]
        ).rows.map { ($0.integer(0), SessionEpoch(rawValue: $0.integer(1))) }
        return Dictionary(rows) { $1 }
    }

    /// Returns the attempts of sessions by sequence.
    ///
    /// A device that has moved may have got a notification in two of them.
    private static func attempts(of closings: [SessionClosing]) -> [Int: DeliveryAttempts] {
        closings.reduce(into: [:]) { result, closing in
            result.merge(closing.attempts) { earlier, later in
                var attempts = earlier
                attempts.merge(later)
                return attempts
            }
        }
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
