package import GatewayStore
internal import PushRules
package import WaypostSchema

/// Batches and sessions.
extension OracleStore {
    package func append(
        _ batch: NewBatch,
        at now: Timestamp,
        onDurable: @escaping @Sendable (AppendedBatch) -> Void
    ) async throws(StoreError) -> AppendOutcome {
        try check()
        return change(at: now) { contents in
            let number = BatchNumber(rawValue: contents.lastBatch + 1)
            let count = batch.notifications.count + batch.rejections.count
            let last = contents.lastSequence
            let logged = count == 0 ? nil : (last + 1)...(last + count)
            switch contents.oracle.append(batch, as: number, logged: logged, at: now) {
            case .duplicate(let known): return .duplicate(known)
            case .refused(let refusals): return .refused(refusals)
            case .appended(let refusals, let items, let expected):
                contents.lastBatch += 1
                contents.lastSequence += count
                var appended = AppendedBatch(
                    number: number,
                    refusals: refusals,
                    logSequences: logged,
                    countsByState: contents.countsByState(of: number),
                    changes: expected.changes
                )
                notify(expected.changes, in: batch.namespace, logged)
                deliver(contents.oracle.payloads(of: items), as: &appended, &contents)
                onDurable(appended)
                return .appended(appended)
            }
        }
    }

    private func notify(_ changes: StoreChanges, in namespace: Namespace, _ logged: ClosedRange<Int>?) {
        _ = notify(changes, in: namespace)
        if let logged { notify(.logged([logged], in: namespace)) }
    }

    /// Delivers each notification to the handle that has the session of its agent.
    private func deliver(
        _ payloads: [StreamDelivery],
        as appended: inout AppendedBatch,
        _ contents: inout Contents
    ) {
        guard contents.generator != nil else {
            appended.deliveries = payloads
            return
        }
        for (agent, deliveries) in Dictionary(grouping: payloads, by: \.agent) {
            let owner = contents.owners[agent] ?? handle
            let isOrdered = owner == handle && !state.queues[handle].isLate(agent)
            let choice = isOrdered ? contents.generator?.next(below: 3) : 2
            guard choice != 0 else {
                appended.deliveries += deliveries
                continue
            }
            contents.unread[agent, default: []] += deliveries.map(\.notification)
                .filter(\.notification.isTransient)
            if choice == 1 {
                appended.changes.nudges.insert(agent)
            } else {
                var changes = StoreChanges()
                changes.nudges = [agent]
                state.queues[owner].add([.changed(changes, in: agent.namespace)])
            }
        }
        appended.deliveries.sort { $0.notification.sequence < $1.notification.sequence }
    }

    package func batch(_ id: BatchID, in namespace: Namespace) async throws(StoreError) -> BatchRecord? {
        change { contents in
            let place = StoreOracle.Place(namespace, id)
            return contents.oracle.ids.first { $0.value == place && contents.oracle.batches[$0.key] != nil }
                .flatMap { contents.oracle.record(of: $0.key) }
        }
    }

    package func batch(
        with key: String,
        in namespace: Namespace,
        at now: Timestamp
    ) async throws(StoreError) -> KeyedBatch? {
        change { $0.oracle.keyed(key, in: namespace, at: now) }
    }

    package func addPendingBatch(_ id: BatchID, in namespace: Namespace) async throws(StoreError) {
        change { $0.pending.add(id, in: namespace) }
    }

    package func endPendingBatch(
        _ id: BatchID,
        in namespace: Namespace,
        as outcome: PendingBatch?
    ) async throws(StoreError) {
        change { $0.pending.end(id, in: namespace, as: outcome) }
        notify(.pendingEnded(id, in: namespace))
    }

    package func pendingBatch(_ id: BatchID, in namespace: Namespace) async throws(StoreError) -> PendingBatch? {
        change { $0.pending.batch(id, in: namespace) }
    }

    package func ownSessions() async throws(StoreError) -> [AgentID: SessionEpoch] {
        change { contents in contents.oracle.sessions.filter { contents.owners[$0.key] == handle } }
    }

    package func openSession(_ agent: AgentID) async throws(StoreError) -> SessionEpoch? {
        try check()
        return change { contents in
            let epoch = SessionEpoch(rawValue: contents.lastEpoch + 1)
            guard contents.oracle.openSession(agent, as: epoch) else { return nil }
            contents.lastEpoch += 1
            contents.owners[agent] = handle
            notify(.sessionOpened(agent, epoch))
            return epoch
        }
    }

    package func closeSessions(_ closings: [SessionClosing]) async throws(StoreError) -> [StoreChanges?] {
        closings.map(closeSession)
    }

    private func closeSession(_ closing: SessionClosing) -> StoreChanges? {
        change(at: closing.time) { contents in
            guard let expected = contents.oracle.closeSession(closing) else { return nil }
            let unread = contents.unread.removeValue(forKey: closing.agent) ?? []
            let dropped = unread.map { TransientEnd($0, of: closing.agent, as: .dropped, at: closing.time) }
            contents.oracle.settle(dropped)
            var changes = expected.changes
            changes.batches.formUnion(dropped.map(\.batch))
            return notify(changes, in: closing.agent.namespace)
        }
    }
}

/// Inboxes.
extension OracleStore {
    package func readInbox(
        of agent: AgentID,
        after cursor: Int,
        limit: Int,
        at now: Timestamp
    ) async throws(StoreError) -> [StoredNotification] {
        change { contents in
            let stored = contents.oracle.inbox(agent, at: now).filter { $0.sequence > cursor }.map(contents.stored)
            let unread = contents.unread[agent] ?? []
            let page = (stored + unread).sorted { $0.sequence < $1.sequence }.prefix(max(0, limit))
            let taken = Set(page.map(\.sequence))
            contents.unread[agent] = unread.isEmpty ? nil : unread.filter { !taken.contains($0.sequence) }
            return Array(page)
        }
    }

    package func acknowledge(
        _ acknowledgements: [AgentAcknowledgement]
    ) async throws(StoreError) -> StoreChanges {
        try check()
        var changes = StoreChanges()
        for acknowledgement in acknowledgements {
            let removed = change(at: acknowledgement.time) { contents in
                let (agent, sequences) = (acknowledgement.agent, acknowledgement.notifications.map(\.sequence))
                let ranks = Set(contents.oracle.stored.filter { sequences.contains($0.sequence) }.map(\.rank))
                var attempts: [Int: DeliveryAttempts] = [:]
                for notification in acknowledgement.notifications {
                    attempts[notification.sequence] = notification.attempts
                }
                let expected = contents.oracle.acknowledge(agent, ranks: ranks, attempts: attempts)
                return notify(expected.changes, in: agent.namespace)
            }
            let bySequence = Dictionary(uniqueKeysWithValues: removed.removals.map { ($0.sequence, $0) })
            var taken: Set<Int> = []
            for notification in acknowledgement.notifications where taken.insert(notification.sequence).inserted {
                if let removal = bySequence[notification.sequence] { changes.removals.append(removal) }
            }
        }
        return changes
    }

    package func recordOutcomes(_ ends: [TransientEnd]) async throws(StoreError) {
        change { contents in
            contents.oracle.settle(ends)
            for end in ends {
                var changes = StoreChanges()
                changes.batches = [end.batch]
                notify(.changed(changes, in: end.namespace), .logged([end.sequence...end.sequence], in: end.namespace))
            }
        }
    }

    package func removeExpired(in namespace: Namespace, at now: Timestamp) async throws(StoreError) -> StoreChanges {
        change(at: now) { notify($0.oracle.expire(namespace, at: now).changes, in: namespace) }
    }
}

extension TransientEnd {
    /// Creates the end of a notification of an agent.
    fileprivate init(
        _ notification: StoredNotification,
        of agent: AgentID,
        as state: DeliveryState,
        at now: Timestamp
    ) {
        self.init(
            namespace: agent.namespace,
            sequence: notification.sequence,
            batch: notification.batch,
            state: state,
            at: now
        )
    }
}

extension StoreOracle {
    /// Returns notifications as payloads.
    fileprivate func payloads(of items: [Item]) -> [StreamDelivery] {
        items.map { item in
            let stored = StoredNotification(
                sequence: item.sequence,
                batch: item.batch,
                notification: item.notification
            )
            return StreamDelivery(agent: item.agent, notification: stored)
        }
    }
}

extension Contents {
    /// Returns the number of items for each state that they were put into at once.
    fileprivate func countsByState(of number: BatchNumber) -> [DeliveryState: Int] {
        var states = oracle.batches[number]?.states ?? [:]
        // A notification that a later one of the batch replaced was stored first.
        if let collapsed = states.removeValue(forKey: .collapsed) { states[.stored, default: 0] += collapsed }
        return states
    }
}

extension Contents {
    /// Returns an item as a store reads it from an inbox.
    func stored(_ item: StoreOracle.Item) -> StoredNotification {
        let attempts = oracle.lines[item.sequence]?.entry.attempts?.count ?? 0
        return StoredNotification(
            sequence: item.sequence,
            batch: item.batch,
            notification: item.notification,
            wasSent: attempts > 0
        )
    }
}
