package import WaypostSchema

extension SQLiteStore {
    /// Takes a batch in.
    package func append(
        _ batch: NewBatch,
        connected: Set<AgentID>,
        at now: Timestamp,
        handOver: @escaping @Sendable (Appended) -> Void
    ) async throws(StoreFault) -> AppendOutcome {
        try await perform(weight: max(1, batch.notifications.count)) {
            try $0.append(batch, connected: connected, at: now)
        } then: { outcome in
            if case .appended(let appended) = outcome { handOver(appended) }
        }
    }

    /// Returns what has become of a batch.
    package func batch(_ id: BatchID, in namespace: Namespace) async throws(StoreFault) -> BatchRecord? {
        try await read(in: namespace) { try BatchRecord.fetch($0, id, in: $1) }
    }

    /// Returns the batch that was sent with `key` in the last 24 hours.
    package func batch(
        with key: String,
        in namespace: Namespace,
        at now: Timestamp
    ) async throws(StoreFault) -> KeyedBatch? {
        try await read(in: namespace) { try KeyedBatch.fetch($0, with: key, in: $1, at: now) }
    }
}
