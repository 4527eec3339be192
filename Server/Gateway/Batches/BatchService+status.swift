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
    ///
    /// `reserve` is called with the number of results before they are decoded; the status has none if it throws.
    ///
    /// - Parameters:
    ///   - id: the batch's identifier.
    ///   - namespace: the batch's namespace.
    ///   - reserve: reserves memory for the results.
    /// - Returns: the status.
    /// - Throws: `GatewayError`, and any error of `reserve`.
    func status(
        of id: BatchID,
        in namespace: Namespace,
        reserve: (_ resultCount: Int) throws(GatewayError) -> Void = { _ in }
    ) async throws(GatewayError) -> BatchStatus {
        switch try await find(id, in: namespace) {
        case .stored(let record):
            if record.storedAnswer != nil { try reserve(record.rejectedCount) }
            return status(of: record, results: try results(of: record))
        case .notStored(let status):
            try reserve(status.results?.count ?? 0)
            return status
        }
    }

    /// Waits until every accepted item of a batch is in a final state, or until the task is canceled.
    func waitUntilSettled(_ id: BatchID, in namespace: Namespace) async throws(GatewayError) {
        var result = LookupResult.notStored(.pending(id))
        for await _ in pendingChanges.changes(of: PendingKey(namespace: namespace, id: id), startingNow: true) {
            result = try await find(id, in: namespace)
            guard case .notStored(let status) = result, status.phase == .pending else { break }
        }
        guard case .stored(let record) = result else { return }
        for await _ in delivery.batchChanges.changes(of: record.number, startingNow: true) {
            guard case .stored(let record) = try await find(id, in: namespace) else { return }
            if status(of: record, results: nil).isSettled { return }
        }
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

    private func status(of record: BatchRecord, results: [ItemResult]?) -> BatchStatus {
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
            results: results
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
