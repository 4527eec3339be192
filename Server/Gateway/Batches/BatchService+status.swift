internal import Delivery
internal import GatewayStore
internal import LocalService
internal import Synchronization
internal import WaypostSchema

/// The status of batches.
extension BatchService {
    /// The result of looking up a batch: its stored record, or its status if it is not stored.
    private enum Finding {
        case stored(BatchRecord)
        case other(BatchStatus)
    }

    /// Returns the status of a batch.
    func status(of id: BatchID, in namespace: Namespace) async throws(GatewayError) -> BatchStatus {
        switch try await find(id, in: namespace) {
        case .stored(let record): return try self.status(of: record)
        case .other(let status): return status
        }
    }

    /// Returns the status of a batch once every accepted item is in a final state, or once the task is canceled.
    func settledStatus(of id: BatchID, in namespace: Namespace) async throws(GatewayError) -> BatchStatus {
        let arrival = arrivals.changes(of: PendingBatches.Key(namespace: namespace, id: id))
        var finding = try await find(id, in: namespace)
        if case .other(let status) = finding, status.phase == .pending {
            for await _ in arrival { break }
            finding = try await find(id, in: namespace)
        }
        guard case .stored(let record) = finding else { return try await status(of: id, in: namespace) }
        let changes = delivery.batches.changes(of: record.number)
        var status = try await status(of: id, in: namespace)
        if status.isSettled { return status }
        for await _ in changes {
            status = try await self.status(of: id, in: namespace)
            if status.isSettled { break }
        }
        return status
    }

    private func find(_ id: BatchID, in namespace: Namespace) async throws(GatewayError) -> Finding {
        switch pending.withLock({ $0[PendingBatches.Key(namespace: namespace, id: id)] }) {
        case .waiting: return .other(BatchStatus(id: id, phase: .pending, accepted: 0, rejected: 0, states: [:]))
        case .refused(let error): return .other(BatchStatus(refused: id, error.body))
        case .known(let other): return try await findStored(other, in: namespace)
        case nil: return try await findStored(id, in: namespace)
        }
    }

    /// Finds a batch in the store, after removing expired notifications from their inboxes.
    private func findStored(_ id: BatchID, in namespace: Namespace) async throws(GatewayError) -> Finding {
        try await delivery.expire(namespace)
        guard let record = try await delivery.store.call({ try await $0.batch(id, in: namespace) }) else {
            throw .unknownBatch(id)
        }
        return .stored(record)
    }

    private func status(of record: BatchRecord) throws(GatewayError) -> BatchStatus {
        let sent = delivery.sessions.withLock { $0.sentCounts(of: record.number) }
        var counts = record.counts
        counts.move(sent.stored, from: .stored, to: .sent)
        counts.move(sent.transient, from: .accepted, to: .sent)
        return BatchStatus(
            id: record.id,
            phase: .committed,
            accepted: record.accepted,
            rejected: record.rejected,
            states: counts.states,
            results: try results(of: record)
        )
    }
}

extension BatchStatus {
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

/// The batches that were answered before they were stored: those that wait, and those that were not stored.
struct PendingBatches: Sendable {
    /// The key of a batch.
    struct Key: Hashable {
        var namespace: Namespace
        var id: BatchID
    }

    /// The progress of a batch.
    enum Phase: Sendable {
        /// The batch waits to be stored.
        case waiting

        /// The batch was refused as a whole.
        case refused(GatewayError)

        /// The batch was sent before; this is the identifier that it got then.
        case known(BatchID)
    }

    /// The maximum number of remembered batches that were not stored.
    private static let memory = 1_000

    private var phases: [Key: Phase] = [:]
    private var ended: [Key] = []

    /// The progress of a batch, or `nil` if it is unknown or stored.
    subscript(key: Key) -> Phase? {
        phases[key]
    }

    /// Adds a batch that waits to be stored.
    mutating func add(_ key: Key) {
        phases[key] = .waiting
    }

    /// Records that a batch is stored (`nil`), or the outcome that kept it from being stored.
    mutating func end(_ key: Key, as phase: Phase?) {
        phases[key] = phase
        guard phase != nil else { return }
        ended.append(key)
        if ended.count > Self.memory { phases[ended.removeFirst()] = nil }
    }

    /// Removes a namespace's batches; those that wait will not be stored.
    mutating func forget(_ namespace: Namespace) {
        phases = phases.filter { $0.key.namespace != namespace }
        ended.removeAll { $0.namespace == namespace }
    }
}
