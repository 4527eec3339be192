internal import GatewayStore
internal import LocalService
internal import PushRules
internal import Synchronization
internal import WaypostSchema

/// The status of batches.
extension BatchService {
    /// The result of looking up a batch: its stored record, or its status if it is not stored.
    private enum LookupResult {
        case stored(BatchRecord)
        case notStored(BatchStatus)
    }

    /// Returns the status of a batch.
    func status(of id: BatchID, in namespace: Namespace) async throws(GatewayError) -> BatchStatus {
        switch try await find(id, in: namespace) {
        case .stored(let record): return try self.status(of: record)
        case .notStored(let status): return status
        }
    }

    /// Returns the status of a batch once every accepted item is in a final state, or once the task is canceled.
    func settledStatus(of id: BatchID, in namespace: Namespace) async throws(GatewayError) -> BatchStatus {
        var result = LookupResult.notStored(.pending(id))
        for await _ in pendingChanges.changes(of: PendingKey(namespace: namespace, id: id), startingNow: true) {
            result = try await find(id, in: namespace)
            guard case .notStored(let status) = result, status.phase == .pending else { break }
        }
        guard case .stored(let record) = result else { return try await status(of: id, in: namespace) }
        let changes = delivery.batchChanges.changes(of: record.number)
        var status = try await status(of: id, in: namespace)
        if status.isSettled { return status }
        for await _ in changes {
            status = try await self.status(of: id, in: namespace)
            if status.isSettled { break }
        }
        return status
    }

    private func find(_ id: BatchID, in namespace: Namespace) async throws(GatewayError) -> LookupResult {
        switch try await delivery.store.call({ try await $0.pendingBatch(id, in: namespace) }) {
        case .waiting:
            // The store may have failed to record that it has the batch.
            guard let record = try await delivery.store.call({ try await $0.batch(id, in: namespace) }) else {
                return .notStored(.pending(id))
            }
            return .stored(record)
        case .refused(let body): return .notStored(BatchStatus(refused: id, body))
        case .duplicate(let other): return try await findStored(other, in: namespace)
        case nil: return try await findStored(id, in: namespace)
        }
    }

    /// Finds a batch in the store, after removing expired notifications from their inboxes.
    private func findStored(_ id: BatchID, in namespace: Namespace) async throws(GatewayError) -> LookupResult {
        try await delivery.expire(namespace)
        guard let record = try await delivery.store.call({ try await $0.batch(id, in: namespace) }) else {
            throw .unknownBatch(id)
        }
        return .stored(record)
    }

    private func status(of record: BatchRecord) throws(GatewayError) -> BatchStatus {
        let unacknowledgedCounts = delivery.sessions.withLock { $0.unacknowledgedCounts(of: record.number) }
        var counts = record.counts
        counts.move(unacknowledgedCounts.stored, from: .stored, to: .sent)
        counts.move(unacknowledgedCounts.transient, from: .accepted, to: .sent)
        return BatchStatus(
            id: record.id,
            phase: .committed,
            accepted: record.acceptedCount,
            rejected: record.rejectedCount,
            states: counts.states,
            results: try results(of: record)
        )
    }
}

extension BatchStatus {
    /// Returns the status of a batch that waits to be stored.
    static func pending(_ id: BatchID) -> Self {
        Self(id: id, phase: .pending, accepted: 0, rejected: 0, states: [:])
    }

    /// Creates the status of a batch that was refused as a whole.
    fileprivate init(refused id: BatchID, _ body: APIErrorBody) {
        self.init(
            id: id,
            phase: .refused,
            accepted: 0,
            rejected: 0,
            states: [:],
            results: body.results,
            error: body.error
        )
    }
}
