internal import GatewayStore
internal import PushRules
internal import WaypostSchema

/// Methods that store a batch.
extension PostgresTransaction {
    /// The data with which a batch is planned and written.
    private struct BatchContext {
        /// The number of the namespace.
        var namespace: Int

        /// The number that the batch gets.
        var number: Int

        /// The first and the last sequence of the batch.
        var firstSequence: Int
        var lastSequence: Int

        /// The recipients by token.
        var recipients: [DeviceToken: Recipient]

        /// How each agent with a session gets notifications.
        var routes: [Int: Route]

        /// The storage modes of the apps for which one was set.
        var modes: [Topic: StorageMode]
    }

    /// The result of reading what a plan needs.
    private enum Preparation {
        case ready(BatchContext)

        /// The idempotency key was used before.
        case keyIsUsed

        /// The namespace does not exist.
        case missingNamespace
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
        var preparation = try prepare(batch, at: now)
        while case .missingNamespace = preparation {
            let recipients = [Recipient?](repeating: nil, count: batch.notifications.count)
            let plan = BatchPlan(
                batch,
                for: recipients,
                modes: [:],
                createsNamespace: true,
                keepsLog: keepsLog,
                at: now
            )
            guard !plan.isBatchRefused else { return .refused(plan.refusals) }
            // Once it exists, a claim finds its number.
            _ = try findOrCreateNamespaceID(of: batch.namespace)
            preparation = try prepare(batch, at: now)
        }
        guard case .ready(let context) = preparation else {
            guard let key = batch.key?.key, let keyed = try keyedBatch(with: key, in: batch.namespace, at: now) else {
                // The batch that had the key was deleted in the meantime.
                throw PostgresError.conflict("the key is no longer known")
            }
            return .duplicate(keyed)
        }
        let recipients = batch.notifications.map { context.recipients[$0.token] }
        let plan = BatchPlan(batch, for: recipients, modes: context.modes, keepsLog: keepsLog, at: now)
        if plan.isBatchRefused {
            // The key stays as it was.
            try connection.send("ROLLBACK TO SAVEPOINT arrival")
            return .refused(plan.refusals)
        }
        let batch = plan.annotate(batch)
        let removals = try collapse(batch, plan, at: now)
        try insertItems(batch, plan, context: context)
        try insertTransients(batch, plan, context: context)
        try insertLogEntries(batch, plan, context: context, at: now)
        try insertBatch(batch, plan, context: context, at: now)
        recordCounts(plan.countsByState, of: context.number)
        let number = BatchNumber(rawValue: context.number)
        let appended = plan.appendedBatch(batch, as: number, from: context.firstSequence, removals: removals)
        return .appended(try route(appended, context, in: batch.namespace))
    }

    /// Reads and locks the rows that the plan needs, and allocates the numbers.
    ///
    /// The six statements are one round trip. They lock the agents, then read the devices and allocate the sequences.
    /// So the devices stay as they are, and for each agent, the order of sequences is the order of commits.
    private func prepare(_ batch: NewBatch, at now: Timestamp) throws -> Preparation {
        let name = PostgresValue.text(batch.namespace.databaseText)
        // The log names the devices of rejected items, too.
        let rejectedTokens = batch.rejections.compactMap(\.subject.token)
        let tokens = PostgresValue.texts(Set(batch.notifications.map(\.token) + rejectedTokens).map(\.databaseText))
        let namespaceIDSQL = "(SELECT number FROM namespace WHERE name = $1)"
        try connection.send(Self.namespaceSQL, [name])
        try sendKeyClaim(batch, at: now)
        try connection.send(
            """
            SELECT number FROM agent WHERE number IN (
                SELECT agent FROM device WHERE namespace = \(namespaceIDSQL) AND token = ANY ($2)
            ) ORDER BY number FOR NO KEY UPDATE
            """,
            [name, tokens]
        )
        try connection.send(
            """
            SELECT \(DeviceRecord.columns), token, session.gateway, session.late IS NOT NULL
            FROM device LEFT JOIN session ON session.agent = device.agent
            WHERE device.namespace = \(namespaceIDSQL) AND token = ANY ($2)
            """,
            [name, tokens]
        )
        try connection.send("SELECT topic, storage FROM app WHERE namespace = \(namespaceIDSQL)", [name])
        try connection.send("SELECT take($1)", [.integer(batch.notifications.count + batch.rejections.count)])
        let results = Array(try connection.finish().suffix(6))
        guard let namespace = results[0].rows.first?.integer(0) else { return .missingNamespace }
        guard let number = results[1].rows.first?.integer(0) else { return .keyIsUsed }
        let lockedAgents = Set(results[2].rows.map { $0.integer(0) })
        let firstSequence = results[5].rows.first?.integer(0) ?? 0
        var context = BatchContext(
            namespace: namespace,
            number: number,
            firstSequence: firstSequence,
            lastSequence: firstSequence + batch.notifications.count + batch.rejections.count - 1,
            recipients: [:],
            routes: [:],
            modes: [:]
        )
        for row in results[3].rows {
            let device = try DeviceRecord(row: row)
            guard lockedAgents.contains(device.agent) else {
                throw PostgresError.conflict("a device has changed its agent")
            }
            let gateway = row.optionalInteger(10)
            context.recipients[DeviceToken(databaseText: row.text(9))] = device.recipient(isConnected: gateway != nil)
            context.routes[device.agent] = gateway.map { gateway in
                gateway != handle.gateway ? .event(gateway: gateway) : row.boolean(11) ? .nudge : .payload
            }
        }
        for row in results[4].rows {
            context.modes[Topic(databaseText: row.text(0))] = try StoredEnum.read(row.text(1))
        }
        return .ready(context)
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
                .text(batch.namespace.databaseText), .text(StoredString.encode(key.key)), .bytes(key.fingerprint),
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
            guard case .stored(let placement, _) = fate, let slot = placement.slot else { continue }
            devices.append(placement.device)
            topics.append(notification.topic.databaseText)
            slots.append(slot.databaseText)
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
    private func insertItems(_ batch: NewBatch, _ plan: BatchPlan, context: BatchContext) throws {
        typealias Item = (sequence: Int, notification: NewNotification, placement: BatchPlan.InboxPlacement)
        let items = plan.fates.indices.compactMap { index -> Item? in
            guard case .stored(let placement, _) = plan.fates[index] else { return nil }
            return (plan.sequence(of: index, from: context.firstSequence), batch.notifications[index], placement)
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
                .integer(context.namespace), .integer(context.number), .integers(items.map(\.sequence)),
                .integers(items.map(\.placement.agent)), .integers(items.map(\.placement.device)),
                .texts(items.map(\.notification.topic.databaseText)),
                .texts(items.map(\.notification.pushType.databaseText)),
                .integers(items.map(\.notification.priority)), .integers(items.map(\.notification.expiration)),
                .integers(items.map(\.placement.deadline)), .texts(items.map(\.notification.collapseID?.databaseText)),
                .texts(items.map(\.placement.slot?.databaseText)), .booleans(items.map(\.placement.isSlotDeferred)),
                .texts(items.map(\.notification.id.databaseText)), .byteStrings(items.map(\.notification.payload)),
                .texts(items.map { StoredFindings.encode($0.notification.findings) }),
                .texts(items.map(\.notification.traceparent?.rawValue)),
            ]
        )
    }

    /// Stores the transient notifications, which other gateways may have to read, and which end once.
    private func insertTransients(_ batch: NewBatch, _ plan: BatchPlan, context: BatchContext) throws {
        typealias Transient = (sequence: Int, notification: NewNotification, agent: Int)
        let transients = plan.fates.indices.compactMap { index -> Transient? in
            guard case .sent(let agent) = plan.fates[index] else { return nil }
            return (plan.sequence(of: index, from: context.firstSequence), batch.notifications[index], agent)
        }
        guard !transients.isEmpty else { return }
        let routes = transients.map { context.routes[$0.agent] ?? .payload }
        try connection.send(
            """
            INSERT INTO flight (namespace, batch, sequence, agent, device, topic, push_type, priority, collapse_id, id,
                payload, gateway, is_unread, traceparent)
            SELECT $1::bigint, $2::bigint, * FROM unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::text[],
                $7::text[], $8::bigint[], $9::text[], $10::text[], $11::bytea[], $12::bigint[], $13::boolean[],
                $14::text[])
            """,
            [
                .integer(context.namespace), .integer(context.number), .integers(transients.map(\.sequence)),
                .integers(transients.map(\.agent)),
                .integers(transients.map { context.recipients[$0.notification.token]?.device ?? 0 }),
                .texts(transients.map(\.notification.topic.databaseText)),
                .texts(transients.map(\.notification.pushType.databaseText)),
                .integers(transients.map(\.notification.priority)),
                .texts(transients.map(\.notification.collapseID?.databaseText)),
                .texts(transients.map(\.notification.id.databaseText)),
                .byteStrings(transients.map(\.notification.payload)),
                .integers(routes.map { $0.gateway(default: handle.gateway) }), .booleans(routes.map { $0 != .payload }),
                .texts(transients.map(\.notification.traceparent?.rawValue)),
            ]
        )
    }

    /// Writes the row of a stored batch.
    private func insertBatch(_ batch: NewBatch, _ plan: BatchPlan, context: BatchContext, at now: Timestamp) throws {
        try connection.send(
            "INSERT INTO batch (number, namespace, id, created, rejected, record) VALUES ($1, $2, $3, $4, $5, $6)",
            [
                .integer(context.number), .integer(context.namespace), .text(batch.id.databaseText),
                .integer(now.rawValue),
                .integer(plan.rejectedCount), .bytes(batch.encodeAnswer?(plan.refusals)),
            ]
        )
    }

    /// Chooses how the notifications of a batch reach the streams, and adds the events for other gateways.
    private mutating func route(
        _ appended: AppendedBatch,
        _ context: BatchContext,
        in namespace: Namespace
    ) throws -> AppendedBatch {
        var appended = appended
        var (nudgedAgents, foreignAgents) = (Set<AgentID>(), Set<AgentID>())
        appended.deliveries.removeAll { delivery in
            switch context.routes[delivery.agent.number] {
            case .payload, nil: return false
            case .nudge: nudgedAgents.insert(delivery.agent)
            case .event: foreignAgents.insert(delivery.agent)
            }
            return true
        }
        var changes = appended.changes
        changes.nudges = foreignAgents
        _ = enqueue(changes, in: namespace)
        if let sequences = appended.logSequences { enqueue(.logged([sequences], in: namespace)) }
        appended.changes.nudges = nudgedAgents
        // A stream of this gateway reads everything after its nudge.
        try setLateSequence(nil, of: nudgedAgents)
        try setLateSequence(context.lastSequence, of: foreignAgents)
        return appended
    }

    private func setLateSequence(_ sequence: Int?, of agents: Set<AgentID>) throws {
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
    private func insertLogEntries(
        _ batch: NewBatch,
        _ plan: BatchPlan,
        context: BatchContext,
        at now: Timestamp
    ) throws {
        guard keepsLog, plan.sequenceCount > 0 else { return }
        try connection.send(
            "INSERT INTO log_batch (number, namespace, id, created, first, last) VALUES ($1, $2, $3, $4, $5, $6)",
            [
                .integer(context.number), .integer(context.namespace), .text(batch.id.databaseText),
                .integer(now.rawValue),
                .integer(context.firstSequence), .integer(context.firstSequence + plan.sequenceCount - 1),
            ]
        )
        let entries = logEntries(batch, plan, context: context)
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
                .integer(context.namespace), .integer(context.number), .integers(entries.map(\.sequence)),
                .texts(entries.map(\.state.rawValue)),
                .integers(entries.map { $0.state.isFinal ? now.rawValue : nil }), .integers(entries.map(\.device)),
                .texts(entries.map(\.subject.topic?.databaseText)),
                .texts(entries.map(\.subject.pushType?.databaseText)),
                .integers(entries.map(\.subject.priority)), .integers(entries.map(\.subject.expiration)),
                .texts(entries.map(\.subject.collapseID?.databaseText)),
                .texts(entries.map(\.subject.id?.databaseText)),
                .texts(entries.map { $0.device == nil ? $0.subject.token?.databaseText : nil }),
                .integers(rejections.map { $0?.status }), .texts(rejections.map { $0?.reason?.databaseText }),
                .texts(rejections.map { ($0?.message).map(StoredString.encode) }),
                .texts(entries.map { StoredFindings.encode($0.subject.findings) }),
                .texts(entries.map(\.subject.traceparent?.rawValue)),
            ]
        )
    }

    private func logEntries(_ batch: NewBatch, _ plan: BatchPlan, context: BatchContext) -> [Entry] {
        var entries: [Entry] = []
        for (index, fate) in plan.fates.enumerated() {
            if case .stored = fate { continue }
            entries.append(
                Entry(
                    sequence: plan.sequence(of: index, from: context.firstSequence),
                    subject: LogSubject(batch.notifications[index]),
                    state: fate.state,
                    rejection: fate.rejection(of: batch.notifications[index])
                )
            )
        }
        for (index, item) in batch.rejections.enumerated() {
            entries.append(
                Entry(
                    sequence: context.firstSequence + plan.fates.count + index,
                    subject: item.subject,
                    state: .rejected,
                    rejection: item.rejection
                )
            )
        }
        for index in entries.indices {
            entries[index].device = entries[index].subject.token.flatMap { context.recipients[$0]?.device }
        }
        return entries
    }
}
