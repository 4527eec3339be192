package import WaypostSchema

extension SQLiteStore {
    /// Stores a batch.
    package func append(
        _ batch: NewBatch,
        at now: Timestamp,
        onDurable: @escaping @Sendable (AppendedBatch) -> Void
    ) async throws(StoreError) -> AppendOutcome {
        try await write(weight: max(1, batch.notifications.count)) {
            try $0.append(batch, at: now)
        } then: { outcome in
            if case .appended(let appended) = outcome { onDurable(appended) }
        }
    }

    /// Returns the current data of a batch.
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
    /// Returns a page of an agent's inbox, without notifications whose payload is damaged.
    package func readInbox(
        of agent: AgentID,
        after cursor: Int,
        limit: Int,
        at now: Timestamp
    ) async throws(StoreError) -> [StoredNotification] {
        let onDamage = onDamage
        return try await read { database in
            try StoredNotification.fetchPage(
                database,
                of: agent,
                after: cursor,
                limit: limit,
                at: now,
                onDamage: { onDamage(DamagedPayload(id: $0.notification.id, sequence: $0.sequence)) }
            )
        }
    }

    /// Removes acknowledged notifications from inboxes.
    package func acknowledge(
        _ acknowledgements: [AgentAcknowledgement]
    ) async throws(StoreError) -> StoreChanges {
        let weight = acknowledgements.reduce(0) { $0 + $1.notifications.count }
        guard weight > 0 else { return StoreChanges() }
        return try await write(weight: weight) { try $0.acknowledge(acknowledgements) }
    }

    /// Counts transient notifications in their final states.
    package func recordOutcomes(_ ends: [TransientEnd]) async throws(StoreError) {
        guard !ends.isEmpty else { return }
        try await write { try $0.recordOutcomes(ends) }
    }

    /// Removes expired notifications from a namespace's inboxes, and deletes old keys, batches and log entries.
    ///
    /// A read checks first whether there is anything to delete, so that an empty sweep blocks no writer. Each
    /// transaction deletes a limited number.
    package func removeExpired(in namespace: Namespace, at now: Timestamp) async throws(StoreError) -> StoreChanges {
        let logRetention = logRetention
        let needsSweep = try await read(in: namespace) {
            try StoreTransaction.needsSweep($0, in: $1, at: now, logRetention: logRetention)
        }
        guard needsSweep == true else { return StoreChanges() }
        return try await SweepResult.runToCompletion { () throws(StoreError) in
            try await write { try $0.removeExpired(in: namespace, at: now) }
        }
    }
}
