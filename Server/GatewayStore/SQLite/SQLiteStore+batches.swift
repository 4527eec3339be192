package import Delivery
package import WaypostSchema

extension SQLiteStore {
    /// Takes a batch in.
    package func append(
        _ batch: NewBatch,
        connected: Set<AgentID>,
        at now: Timestamp,
        handOver: @escaping @Sendable (Appended) -> Void
    ) async throws(StoreError) -> AppendOutcome {
        try await perform(weight: max(1, batch.notifications.count)) {
            try $0.append(batch, connected: connected, at: now)
        } then: { outcome in
            if case .appended(let appended) = outcome { handOver(appended) }
        }
    }

    /// Returns what has become of a batch.
    package func batch(_ id: BatchID, in namespace: Namespace) async throws(StoreError) -> BatchRecord? {
        try await read(in: namespace) { try BatchRecord.fetch($0, id, in: $1) }
    }

    /// Returns the batch that was sent with `key` in the last 24 hours.
    package func batch(
        with key: String,
        in namespace: Namespace,
        at now: Timestamp
    ) async throws(StoreError) -> KeyedBatch? {
        try await read(in: namespace) { try KeyedBatch.fetch($0, with: key, in: $1, at: now) }
    }
}

extension SQLiteStore {
    /// Returns a page of an agent's inbox.
    package func read(
        _ agent: AgentID,
        after cursor: Int,
        limit: Int,
        at now: Timestamp
    ) async throws(StoreError) -> [StoredNotification] {
        try await read { database in
            try StoredNotification.fetchPage(database, of: agent, after: cursor, limit: limit, at: now)
        }
    }

    /// Takes `sequences` out of an agent's inbox as acknowledged.
    package func acknowledge(
        _ agent: AgentID,
        _ sequences: [Int],
        attempts: [Int: DeliveryAttempts],
        at now: Timestamp
    ) async throws(StoreError) -> StoreChanges {
        guard !sequences.isEmpty else { return StoreChanges() }
        return try await perform(weight: sequences.count) {
            try $0.acknowledge(agent, sequences, attempts: attempts, at: now)
        }
    }

    /// Counts notifications that were now or never in their final states.
    package func settle(_ ends: [TransientEnd]) async throws(StoreError) {
        guard !ends.isEmpty else { return }
        try await perform { try $0.settle(ends) }
    }

    /// Notes that an agent's stream is gone.
    package func disconnect(_ agent: AgentID, at now: Timestamp) async throws(StoreError) -> StoreChanges {
        try await perform { try $0.disconnect(agent, at: now) }
    }

    /// Takes what has expired out of a namespace's inboxes, and forgets old keys, batches and lines of the
    /// log.
    ///
    /// A reader looks first, so that a sweep with nothing to do hinders nobody, and each transaction takes a bounded part.
    package func expire(_ namespace: Namespace, at now: Timestamp) async throws(StoreError) -> StoreChanges {
        let logRetention = logRetention
        let isDue = try await read(in: namespace) {
            try StoreTransaction.isAnythingDue($0, in: $1, at: now, logRetention: logRetention)
        }
        guard isDue == true else { return StoreChanges() }
        var sweep = StoreTransaction.Sweep(isPartial: true)
        while sweep.isPartial {
            do {
                let part = try await perform { try $0.expire(namespace, at: now) }
                sweep.changes.append(part.changes)
                sweep.isPartial = part.isPartial
            } catch {
                // What was done is done and is told; the rest is the next sweep's.
                guard sweep.changes.removals.isEmpty else { return sweep.changes }
                throw error
            }
        }
        return sweep.changes
    }
}
