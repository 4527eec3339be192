internal import GatewayStore
internal import PushRules
internal import WaypostSchema

/// Methods that remove notifications from inboxes.
extension PostgresTransaction {
    /// Removes acknowledged notifications from inboxes.
    mutating func acknowledge(_ acknowledgements: [AgentAcknowledgement]) throws -> StoreChanges {
        var (sequences, agents, times, indexes) = ([Int](), [Int](), [Int](), [Int: Int]())
        var namespaces: [String] = []
        var attempts: [DeliveryAttempts?] = []
        for (index, acknowledgement) in acknowledgements.enumerated() {
            for notification in acknowledgement.notifications where indexes[notification.sequence] == nil {
                indexes[notification.sequence] = index
                sequences.append(notification.sequence)
                agents.append(acknowledgement.agent.number)
                namespaces.append(acknowledgement.agent.namespace.databaseText)
                times.append(acknowledgement.time.rawValue)
                attempts.append(notification.attempts)
            }
        }
        // With `+ 0`, the server looks up each sequence. Otherwise it may read the whole inbox or namespace for each.
        let removed = try connection.run(
            """
            WITH given AS (
                SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[],
                    $7::text[]) WITH ORDINALITY AS given (sequence, agent, moment, first, last, count, home, place)
            ), gone AS (
                DELETE FROM item USING given JOIN namespace ON namespace.name = given.home
                WHERE item.sequence = given.sequence AND item.agent + 0 = given.agent
                    AND item.namespace + 0 = namespace.number
                RETURNING item.*, moment, first, last, count, place
            )\(keepsLog ? ", entry AS (\(Self.insertAcknowledgedSQL))" : "")
            SELECT sequence, batch FROM gone ORDER BY place
            """,
            [
                .integers(sequences), .integers(agents), .integers(times),
                .integers(attempts.map { $0?.first.rawValue }), .integers(attempts.map { $0?.last.rawValue }),
                .integers(attempts.map { $0?.count ?? 0 }), .texts(namespaces),
            ]
        )
        return StoreChanges(
            removals: removed.rows.map { row in
                let (sequence, batch) = (row.integer(0), row.integer(1))
                recordState(.acknowledged, replacing: .stored, of: batch)
                return StoreChanges.Removal(
                    agent: acknowledgements[indexes[sequence] ?? 0].agent,
                    sequence: sequence,
                    batch: BatchNumber(rawValue: batch),
                    state: .acknowledged
                )
            }
        )
    }

    private static let insertAcknowledgedSQL = """
        INSERT INTO log (sequence, namespace, batch, state, ended, device, topic, push_type, priority, expiration,
            collapse_id, id, findings, traceparent, attempts, first_sent, last_sent)
        SELECT sequence, namespace, batch, 'acknowledged', moment, device, topic, push_type, priority, expiration,
            collapse_id, id, findings, traceparent, attempts + count, least(first_sent, first),
            greatest(last_sent, last) FROM gone
        """

    /// Removes notifications from a namespace's inboxes.
    ///
    /// - Parameters:
    ///   - state: the final state of the notifications.
    ///   - namespace: the namespace.
    ///   - time: the time of the removal; `nil` if it is unknown, which records the time of arrival.
    ///   - deletionSQL: the statement that deletes the rows of `item`, and returns them.
    ///   - arguments: its arguments.
    /// - Returns: the removals, in ascending order of sequence.
    /// - Throws: `PostgresError`.
    mutating func removeNotifications(
        as state: DeliveryState,
        from namespace: Namespace,
        at time: Timestamp?,
        _ deletionSQL: String,
        _ arguments: [PostgresValue]
    ) throws -> [StoreChanges.Removal] {
        let (stateParameter, timeParameter) = (arguments.count + 1, arguments.count + 2)
        let insertEntrySQL = """
            , entry AS (
                INSERT INTO log (sequence, namespace, batch, state, ended, device, topic, push_type, priority,
                    expiration, collapse_id, id, findings, traceparent, attempts, first_sent, last_sent)
                SELECT sequence, namespace, batch, $\(stateParameter), coalesce($\(timeParameter), (
                    SELECT created FROM log_batch WHERE number = gone.batch
                ), 0), device, topic, push_type, priority, expiration, collapse_id, id, findings, traceparent,
                    attempts, first_sent, last_sent FROM gone
            )
            """
        let removed = try connection.run(
            """
            WITH gone AS (\(deletionSQL))\(keepsLog ? insertEntrySQL : "")
            SELECT sequence, agent, batch FROM gone ORDER BY sequence
            """,
            arguments + (keepsLog ? [.text(state.rawValue), .integer(time?.rawValue)] : [])
        )
        return removed.rows.map { row in
            recordState(state, replacing: .stored, of: row.integer(2))
            return StoreChanges.Removal(
                agent: AgentID(namespace: namespace, number: row.integer(1)),
                sequence: row.integer(0),
                batch: BatchNumber(rawValue: row.integer(2)),
                state: state
            )
        }
    }
}
