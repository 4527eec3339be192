package import GatewayStore
internal import PushRules
internal import Synchronization
package import WaypostSchema

/// Batches, sessions and inboxes.
extension PostgresStore {
    /// Stores a batch.
    package func append(
        _ batch: NewBatch,
        at now: Timestamp,
        onDurable: @escaping @Sendable (AppendedBatch) -> Void
    ) async throws(StoreError) -> AppendOutcome {
        let subjects = ChangeSubjects(tokens: Set(batch.notifications.lazy.map(\.token)))
        return try await writer.write(weight: max(1, batch.notifications.count), on: subjects) {
            try $0.append(batch, at: now)
        } then: { outcome in
            if case .appended(let appended) = outcome { onDurable(appended) }
        }
    }

    /// Returns the current data of a batch.
    package func batch(_ id: BatchID, in namespace: Namespace) async throws(StoreError) -> BatchRecord? {
        try await readPool.withConnection { try BatchRecord.fetch($0, id, in: namespace) }
    }

    /// Returns the batch that was sent with `key` in the last 24 hours.
    package func batch(
        with key: String,
        in namespace: Namespace,
        at now: Timestamp
    ) async throws(StoreError) -> KeyedBatch? {
        try await readPool.withConnection { try KeyedBatch.fetch($0, with: key, in: namespace, at: now) }
    }

    /// Opens the session of an agent's stream.
    package func openSession(_ agent: AgentID) async throws(StoreError) -> SessionEpoch? {
        // A device that connects need not wait until there is room for more items.
        try await write(weight: 0, on: ChangeSubjects(agents: [agent.number])) { try $0.openSession(agent) }
    }

    /// Closes sessions that are the current ones of their agents.
    package func closeSessions(_ closings: [SessionClosing]) async throws(StoreError) -> [StoreChanges?] {
        guard !closings.isEmpty else { return [] }
        let subjects = ChangeSubjects(agents: Set(closings.lazy.map(\.agent.number)))
        return try await write(weight: closings.reduce(0) { $0 + $1.weight }, on: subjects) {
            try $0.closeSessions(closings)
        }
    }

    /// Returns a page of an agent's inbox.
    package func readInbox(
        of agent: AgentID,
        after cursor: Int,
        limit: Int,
        at now: Timestamp
    ) async throws(StoreError) -> [StoredNotification] {
        var (notifications, last) = ([StoredNotification](), cursor)
        while notifications.count < limit {
            let (cursor, remaining) = (last, limit - notifications.count)
            let (page, unreadSequences) = try await readPool.withConnection { connection in
                try StoredNotification.fetchPage(connection, of: agent, after: cursor, limit: remaining, at: now)
            }
            guard !unreadSequences.isEmpty else { return notifications + page }
            let claimedSequences = try await claim(unreadSequences)
            notifications += page.filter {
                !unreadSequences.contains($0.sequence) || claimedSequences.contains($0.sequence)
            }
            guard let end = page.last, page.count == remaining else { break }
            // Another reader has taken some of a full page; a page that is not full would count as the last one.
            last = end.sequence
        }
        return notifications
    }

    /// Marks transient notifications as read; returns those that nobody had read before.
    private func claim(_ sequences: Set<Int>) async throws(StoreError) -> Set<Int> {
        do throws(StoreError) {
            let claimedSequences = try await write { try $0.markAsRead(Array(sequences)) }
            unresolvedReads.withLock { $0.subtract(claimedSequences) }
            return claimedSequences
        } catch {
            if error == .outcomeUnknown { unresolvedReads.withLock { $0.formUnion(sequences) } }
            throw error
        }
    }

    /// Drops the transient notifications that are marked as read by this gateway, although no stream has them.
    func dropUnresolvedReads() async throws(StoreError) {
        let sequences = unresolvedReads.withLock(\.self)
        guard !sequences.isEmpty else { return }
        try await write { try $0.dropTransients(sequences.sorted()) }
        unresolvedReads.withLock { $0.subtract(sequences) }
    }

    /// Removes acknowledged notifications from inboxes.
    package func acknowledge(_ acknowledgements: [AgentAcknowledgement]) async throws(StoreError) -> StoreChanges {
        let weight = acknowledgements.reduce(0) { $0 + $1.notifications.count }
        guard weight > 0 else { return StoreChanges() }
        let subjects = ChangeSubjects(agents: Set(acknowledgements.lazy.map(\.agent.number)))
        return try await write(weight: weight, on: subjects) { transaction in
            let changes = try transaction.acknowledge(acknowledgements)
            for (namespace, removals) in Dictionary(grouping: changes.removals, by: \.agent.namespace) {
                _ = transaction.enqueue(StoreChanges(removals: removals), in: namespace)
            }
            return changes
        }
    }

    /// Counts transient notifications in their final states.
    package func recordOutcomes(_ ends: [TransientEnd]) async throws(StoreError) {
        guard !ends.isEmpty else { return }
        try await write { try $0.recordOutcomes(ends) }
    }

    /// Removes expired notifications from a namespace's inboxes, and deletes old keys, batches and log entries.
    ///
    /// Each transaction handles a bounded part.
    package func removeExpired(in namespace: Namespace, at now: Timestamp) async throws(StoreError) -> StoreChanges {
        try await SweepResult.runToCompletion { () throws(StoreError) in
            try await write { try $0.removeExpired(in: namespace, at: now) }
        }
    }
}
