internal import GatewayStore
internal import PushRules
internal import WaypostSchema

/// Methods that store a batch.
extension PostgresTransaction {
    /// The data with which a batch is planned and written.
    private struct PreparedBatch {
        /// The number of the namespace.
        var namespace: Int

        /// The number that the batch gets.
        var number: Int

        /// The first and the last sequence of the batch.
        var first: Int
        var last: Int

        /// The recipients by token.
        var recipients: [DeviceToken: Recipient]

        /// How each agent with a session gets notifications.
        var routes: [Int: Route]

        /// The storage modes of the apps for which one was set.
        var modes: [Topic: StorageMode]
    }

    /// How notifications reach the stream of an agent.
    private enum Route: Equatable {
        /// This gateway has the stream, and has handed over everything older.
        case payload

        /// This gateway has the stream, which must read its inbox.
        case nudge

        /// Another gateway has the stream.
        case event(gateway: Int)

        /// Returns the gateway that has the stream, given the number of this one.
        func gateway(default ownGateway: Int) -> Int {
            if case .event(let gateway) = self { gateway } else { ownGateway }
        }
    }

    /// Stores a batch as its plan says.
    mutating func append(_ batch: NewBatch, at now: Timestamp) throws -> AppendOutcome {
        if batch.isAtomic { try connection.send("SAVEPOINT arrival") }
        guard let prepared = try prepare(batch, at: now) else {
            guard let key = batch.key?.key, let keyed = try keyedBatch(with: key, in: batch.namespace, at: now) else {
                // The batch that had the key was deleted in the meantime.
                throw PostgresError.conflict("the key is no longer known")
            }
            return .duplicate(keyed)
        }
        let recipients = batch.notifications.map { prepared.recipients[$0.token] }
        let plan = BatchPlan(batch, for: recipients, modes: prepared.modes, keepsLog: keepsLog, at: now)
        if plan.isBatchRefused {
            // The key stays as it was, and the namespace empty.
            try connection.send("ROLLBACK TO SAVEPOINT arrival")
            return .refused(plan.refusals)
        }
        let removals = try collapse(batch, plan, at: now)
        try insertItems(batch, plan, prepared: prepared)
        try insertTransients(batch, plan, prepared: prepared)
        try insertLog(batch, plan, prepared: prepared, at: now)
        try insertBatch(batch, plan, prepared: prepared, at: now)
        recordCounts(plan.counts, of: prepared.number)
        let number = BatchNumber(rawValue: prepared.number)
        let appended = plan.appendedBatch(batch, as: number, from: prepared.first, removals: removals)
        return .appended(try route(appended, prepared, in: batch.namespace))
    }

    /// Reads and locks the rows that the plan needs, and allocates the numbers; `nil` if the key was used before.
    ///
    /// The six statements are one round trip. They lock the agents, then read the devices and allocate the sequences.
    /// So the devices stay as they are, and for each agent, the order of sequences is the order of commits.
    private func prepare(_ batch: NewBatch, at now: Timestamp) throws -> PreparedBatch? {
        let name = PostgresValue.text(batch.namespace.stored)
        // The log names the devices of rejected items, too.
        let rejected = batch.rejections.compactMap(\.subject.token)
        let tokens = PostgresValue.texts(Set(batch.notifications.map(\.token) + rejected).map(\.stored))
        let home = "(SELECT number FROM namespace WHERE name = $1)"
        try connection.send(Self.namespaceSQL, [name])
        try sendKeyClaim(batch, at: now)
        try connection.send(
            """
            SELECT number FROM agent WHERE number IN (
                SELECT agent FROM device WHERE namespace = \(home) AND token = ANY ($2)
            ) ORDER BY number FOR NO KEY UPDATE
            """,
            [name, tokens]
        )
        try connection.send(
            """
            SELECT \(DeviceRecord.columns), token, session.gateway, session.late IS NOT NULL
            FROM device LEFT JOIN session ON session.agent = device.agent
            WHERE device.namespace = \(home) AND token = ANY ($2)
            """,
            [name, tokens]
        )
        try connection.send("SELECT topic, storage FROM app WHERE namespace = \(home)", [name])
        try connection.send("SELECT take($1)", [.integer(batch.notifications.count + batch.rejections.count)])
        let results = Array(try connection.finish().suffix(6))
        guard let namespace = results[0].rows.first?.integer(0) else {
            // Once it exists, a claim finds its number.
            _ = try findOrCreateNumber(of: batch.namespace)
            return try prepare(batch, at: now)
        }
        guard let number = results[1].rows.first?.integer(0) else { return nil }
        let locked = Set(results[2].rows.map { $0.integer(0) })
        let first = results[5].rows.first?.integer(0) ?? 0
        var prepared = PreparedBatch(
            namespace: namespace,
            number: number,
            first: first,
            last: first + batch.notifications.count + batch.rejections.count - 1,
            recipients: [:],
            routes: [:],
            modes: [:]
        )
        for row in results[3].rows {
            let device = try DeviceRecord(row: row)
            guard locked.contains(device.agent) else {
                throw PostgresError.conflict("a device has changed its agent")
            }
            let gateway = row.optionalInteger(8)
            prepared.recipients[DeviceToken(stored: row.text(7))] = device.recipient(isConnected: gateway != nil)
            prepared.routes[device.agent] = gateway.map { gateway in
                gateway != handle.gateway ? .event(gateway: gateway) : row.boolean(9) ? .nudge : .payload
            }
        }
        for row in results[4].rows { prepared.modes[Topic(stored: row.text(0))] = try StoredEnum.read(row.text(1)) }
        return prepared
    }

    /// Sends the statement that allocates the number of a batch, unless its idempotency key was used before.
    ///
    /// The key is claimed at once, so that another gateway with the same key waits for this transaction.
    private func sendKeyClaim(_ batch: NewBatch, at now: Timestamp) throws {
        guard let key = batch.key else {
            try connection.send("SELECT nextval('batch_number')")
            return
        }
        try connection.send(
            """
            INSERT INTO idempotency (namespace, key, fingerprint, batch, created)
            SELECT number, $2, $3, nextval('batch_number'), $4 FROM namespace WHERE name = $1
            ON CONFLICT (namespace, key) DO UPDATE SET fingerprint = excluded.fingerprint, batch = excluded.batch,
                created = excluded.created WHERE idempotency.created <= $5
            RETURNING batch
            """,
            [
                .text(batch.namespace.stored), .text(StoredString.encode(key.key)), .bytes(key.fingerprint),
                .integer(now.rawValue), .integer(now.milliseconds(secondsAgo: IdempotencyKey.lifetime)),
            ]
        )
    }

    /// Removes the notifications whose slots the batch takes.
    private mutating func collapse(
        _ batch: NewBatch,
        _ plan: BatchPlan,
        at now: Timestamp
    ) throws -> [StoreChanges.Removal] {
        var (devices, topics, slots) = ([Int](), [String](), [String]())
        for (notification, fate) in zip(batch.notifications, plan.fates) {
            guard case .stored(let place, _) = fate, let slot = place.slot else { continue }
            devices.append(place.device)
            topics.append(notification.topic.stored)
            slots.append(slot.stored)
        }
        guard !slots.isEmpty else { return [] }
        return try removeNotifications(
            as: .collapsed,
            from: batch.namespace,
            at: now,
            """
            DELETE FROM item USING unnest($1::bigint[], $2::text[], $3::text[]) AS place (device, topic, slot)
            WHERE item.device = place.device AND item.topic = place.topic AND item.slot = place.slot
            RETURNING item.*
            """,
            [.integers(devices), .texts(topics), .texts(slots)]
        )
    }

    /// Puts the notifications into the inboxes.
    private func insertItems(_ batch: NewBatch, _ plan: BatchPlan, prepared: PreparedBatch) throws {
        let items = plan.fates.indices.compactMap { index -> (sequence: Int, NewNotification, BatchPlan.Place)? in
            guard case .stored(let place, _) = plan.fates[index] else { return nil }
            return (plan.sequence(of: index, from: prepared.first), batch.notifications[index], place)
        }
        guard !items.isEmpty else { return }
        try connection.send(
            """
            INSERT INTO item (namespace, batch, sequence, agent, device, topic, push_type, priority, expiration,
                deadline, collapse_id, slot, is_loose, id, payload, findings, traceparent)
            SELECT $1::bigint, $2::bigint, * FROM unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::text[],
                $7::text[], $8::bigint[], $9::bigint[], $10::bigint[], $11::text[], $12::text[], $13::boolean[],
                $14::text[], $15::bytea[], $16::text[], $17::text[])
            """,
            [
                .integer(prepared.namespace), .integer(prepared.number), .integers(items.map(\.sequence)),
                .integers(items.map(\.2.agent)), .integers(items.map(\.2.device)), .texts(items.map(\.1.topic.stored)),
                .texts(items.map(\.1.pushType.stored)), .integers(items.map(\.1.priority)),
                .integers(items.map(\.1.expiration)), .integers(items.map(\.2.deadline)),
                .texts(items.map(\.1.collapseID?.stored)), .texts(items.map(\.2.slot?.stored)),
                .booleans(items.map(\.2.isLoose)), .texts(items.map(\.1.id.stored)),
                .byteStrings(items.map(\.1.payload)), .texts(items.map { StoredFindings.encode($0.1.findings) }),
                .texts(items.map(\.1.traceparent?.rawValue)),
            ]
        )
    }

    /// Stores the transient notifications, which other gateways may have to read, and which end once.
    private func insertTransients(_ batch: NewBatch, _ plan: BatchPlan, prepared: PreparedBatch) throws {
        let transients = plan.fates.indices.compactMap { index -> (sequence: Int, NewNotification, agent: Int)? in
            guard case .sent(let agent) = plan.fates[index] else { return nil }
            return (plan.sequence(of: index, from: prepared.first), batch.notifications[index], agent)
        }
        guard !transients.isEmpty else { return }
        let routes = transients.map { prepared.routes[$0.agent] ?? .payload }
        try connection.send(
            """
            INSERT INTO flight (namespace, batch, sequence, agent, device, topic, push_type, priority, collapse_id, id,
                payload, gateway, is_unread, traceparent)
            SELECT $1::bigint, $2::bigint, * FROM unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::text[],
                $7::text[], $8::bigint[], $9::text[], $10::text[], $11::bytea[], $12::bigint[], $13::boolean[],
                $14::text[])
            """,
            [
                .integer(prepared.namespace), .integer(prepared.number), .integers(transients.map(\.sequence)),
                .integers(transients.map(\.agent)),
                .integers(transients.map { prepared.recipients[$0.1.token]?.device ?? 0 }),
                .texts(transients.map(\.1.topic.stored)), .texts(transients.map(\.1.pushType.stored)),
                .integers(transients.map(\.1.priority)), .texts(transients.map(\.1.collapseID?.stored)),
                .texts(transients.map(\.1.id.stored)), .byteStrings(transients.map(\.1.payload)),
                .integers(routes.map { $0.gateway(default: handle.gateway) }), .booleans(routes.map { $0 != .payload }),
                .texts(transients.map(\.1.traceparent?.rawValue)),
            ]
        )
    }

    /// Writes the row of a stored batch.
    private func insertBatch(_ batch: NewBatch, _ plan: BatchPlan, prepared: PreparedBatch, at now: Timestamp) throws {
        try connection.send(
            "INSERT INTO batch (number, namespace, id, created, rejected, record) VALUES ($1, $2, $3, $4, $5, $6)",
            [
                .integer(prepared.number), .integer(prepared.namespace), .text(batch.id.stored), .integer(now.rawValue),
                .integer(plan.rejected), .bytes(batch.makeRecord?(plan.refusals)),
            ]
        )
    }

    /// Chooses how the notifications of a batch reach the streams, and adds the events for other gateways.
    private mutating func route(
        _ appended: AppendedBatch,
        _ prepared: PreparedBatch,
        in namespace: Namespace
    ) throws -> AppendedBatch {
        var appended = appended
        var (nudged, foreign) = (Set<AgentID>(), Set<AgentID>())
        appended.deliveries.removeAll { delivery in
            switch prepared.routes[delivery.agent.number] {
            case .payload, nil: return false
            case .nudge: nudged.insert(delivery.agent)
            case .event: foreign.insert(delivery.agent)
            }
            return true
        }
        var changes = appended.changes
        changes.nudges = foreign
        _ = enqueue(changes, in: namespace)
        if let sequences = appended.logSequences { enqueue(.logged([sequences], in: namespace)) }
        appended.changes.nudges = nudged
        // After a nudge that is handed over, the stream has everything.
        try setLate(nil, nudged)
        try setLate(prepared.last, foreign)
        return appended
    }

    private func setLate(_ sequence: Int?, _ agents: Set<AgentID>) throws {
        guard !agents.isEmpty else { return }
        try connection.send(
            "UPDATE session SET late = $2 WHERE agent = ANY ($1)",
            [.integers(agents.map(\.number)), .integer(sequence)]
        )
    }
}

/// Methods that record arriving notifications in the log.
extension PostgresTransaction {
    /// An item of a batch that is not in an inbox.
    private struct Entry {
        var sequence: Int
        var subject: LogSubject
        var state: DeliveryState
        var rejection: Rejection?
        var device: Int?
    }

    /// Records a batch, and those of its items that are not in an inbox.
    private func insertLog(_ batch: NewBatch, _ plan: BatchPlan, prepared: PreparedBatch, at now: Timestamp) throws {
        guard keepsLog, plan.sequenceCount > 0 else { return }
        try connection.send(
            "INSERT INTO log_batch (number, namespace, id, created, first, last) VALUES ($1, $2, $3, $4, $5, $6)",
            [
                .integer(prepared.number), .integer(prepared.namespace), .text(batch.id.stored), .integer(now.rawValue),
                .integer(prepared.first), .integer(prepared.first + plan.sequenceCount - 1),
            ]
        )
        let entries = entries(batch, plan, prepared: prepared)
        guard !entries.isEmpty else { return }
        let rejections = entries.map(\.rejection)
        try connection.send(
            """
            INSERT INTO log (namespace, batch, sequence, state, ended, device, topic, push_type, priority, expiration,
                collapse_id, id, token, status, reason, message, findings, traceparent)
            SELECT $1::bigint, $2::bigint, * FROM unnest($3::bigint[], $4::text[], $5::bigint[], $6::bigint[],
                $7::text[], $8::text[], $9::bigint[], $10::bigint[], $11::text[], $12::text[], $13::text[],
                $14::bigint[], $15::text[], $16::text[], $17::text[], $18::text[])
            """,
            [
                .integer(prepared.namespace), .integer(prepared.number), .integers(entries.map(\.sequence)),
                .texts(entries.map(\.state.rawValue)),
                .integers(entries.map { $0.state.isFinal ? now.rawValue : nil }), .integers(entries.map(\.device)),
                .texts(entries.map(\.subject.topic?.stored)), .texts(entries.map(\.subject.pushType?.stored)),
                .integers(entries.map(\.subject.priority)), .integers(entries.map(\.subject.expiration)),
                .texts(entries.map(\.subject.collapseID?.stored)), .texts(entries.map(\.subject.id?.stored)),
                .texts(entries.map { $0.device == nil ? $0.subject.token?.stored : nil }),
                .integers(rejections.map { $0?.status }), .texts(rejections.map { $0?.reason.stored }),
                .texts(rejections.map { ($0?.message).map(StoredString.encode) }),
                .texts(entries.map { StoredFindings.encode($0.subject.findings) }),
                .texts(entries.map(\.subject.traceparent?.rawValue)),
            ]
        )
    }

    private func entries(_ batch: NewBatch, _ plan: BatchPlan, prepared: PreparedBatch) -> [Entry] {
        var entries: [Entry] = []
        for (index, fate) in plan.fates.enumerated() {
            if case .stored = fate { continue }
            entries.append(
                Entry(
                    sequence: plan.sequence(of: index, from: prepared.first),
                    subject: LogSubject(batch.notifications[index]),
                    state: fate.state,
                    rejection: fate.rejection
                )
            )
        }
        for (index, item) in batch.rejections.enumerated() {
            entries.append(
                Entry(
                    sequence: prepared.first + plan.fates.count + index,
                    subject: item.subject,
                    state: .rejected,
                    rejection: item.rejection
                )
            )
        }
        for index in entries.indices {
            entries[index].device = entries[index].subject.token.flatMap { prepared.recipients[$0]?.device }
        }
        return entries
    }
}
