internal import Delivery
internal import GatewayStore
internal import LocalService
internal import Synchronization
internal import WaypostSchema

/// What has become of batches.
extension BatchService {
    /// A batch that is stored, or its status where there is no more to it.
    private enum Finding {
        case stored(BatchRecord)
        case other(BatchStatus)
    }

    /// Returns what has become of a batch.
    func status(of id: BatchID, in namespace: Namespace) async throws(GatewayError) -> BatchStatus {
        switch try await find(id, in: namespace) {
        case .stored(let record): return try self.status(of: record)
        case .other(let status): return status
        }
    }

    /// Returns what has become of a batch once every accepted item of it is in a final state, or once the task is
    /// cancelled.
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

    /// Finds a batch in the store, after what has expired left its inbox.
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
    /// The status of a batch that was refused whole.
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

/// The batches that were answered before they were stored, as a value: those that wait, and those that came to nothing.
struct PendingBatches: Sendable {
    /// What a batch is known by.
    struct Key: Hashable {
        var namespace: Namespace
        var id: BatchID
    }

    /// How far a batch has come.
    enum Phase: Sendable {
        /// It waits for being stored.
        case waiting

        /// It was refused whole.
        case refused(GatewayError)

        /// It was sent before, and is known by the identifier it got then.
        case known(BatchID)
    }

    /// The most batches that came to nothing and are remembered.
    private static let memory = 1_000

    private var phases: [Key: Phase] = [:]
    private var ended: [Key] = []

    /// How far a batch has come; `nil` where it is not one of these, or is stored.
    subscript(key: Key) -> Phase? {
        phases[key]
    }

    /// Lets a batch wait.
    mutating func add(_ key: Key) {
        phases[key] = .waiting
    }

    /// Notes that a batch is stored, or what else became of it.
    mutating func end(_ key: Key, as phase: Phase?) {
        phases[key] = phase
        guard phase != nil else { return }
        ended.append(key)
        if ended.count > Self.memory { phases[ended.removeFirst()] = nil }
    }

    /// Forgets a namespace's batches: those that wait are not taken in any more.
    mutating func forget(_ namespace: Namespace) {
        phases = phases.filter { $0.key.namespace != namespace }
        ended.removeAll { $0.namespace == namespace }
    }
}
