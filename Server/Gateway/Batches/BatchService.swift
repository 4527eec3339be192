internal import Foundation
internal import GatewayStore
internal import NIOPosix
internal import Synchronization
internal import WaypostSchema

extension Mailroom {
    /// Returns the answer that a batch with the same key was given; `nil` where there is none.
    ///
    /// - Throws: `GatewayError.idempotencyConflict` where the key was used for something else.
    func replay(_ submission: BatchSubmission, limits: BatchLimits) async throws(GatewayError) -> BatchAnswer? {
        guard let key = submission.key else { return nil }
        let now = try await now(in: submission.namespace)
        let known = try await ask { () async throws(StoreError) in
            try await store.batch(with: key.key, in: submission.namespace, at: now)
        }
        guard let known else { return nil }
        return try await replay(known, submission, limits)
    }

    private func replay(
        _ known: KeyedBatch,
        _ submission: BatchSubmission,
        _ limits: BatchLimits
    ) async throws(GatewayError) -> BatchAnswer {
        guard let key = submission.key, known.fingerprint == key.fingerprint else {
            throw .idempotencyConflict(submission.key?.key ?? "")
        }
        let rejected = ResultRecord.results(in: known.batch.record)
        var results = rejected
        if submission.wantsAllResults { results = try await read(submission, limits).results(given: rejected) }
        return BatchAnswer(receipt: receipt(known.batch.id, known.batch.accepted, rejected, results), isReplay: true)
    }

    /// Takes in a batch and returns what became of its items, once that is as durable as the receipt says.
    ///
    /// - Throws: `GatewayError` where nothing of the batch was accepted.
    func accept(_ submission: BatchSubmission, limits: BatchLimits) async throws(GatewayError) -> BatchAnswer {
        let intake = try await read(submission, limits)
        switch try await take(submission.batch(of: intake)) {
        case .known(let known):
            return try await replay(known, submission, limits)
        case .refusedWhole(let refusals):
            let rejected = intake.results(refusals).rejected
            metrics.noteRejected(rejected.lazy.compactMap(\.reason))
            throw .batchRefused(rejected, of: intake.items.count)
        case .appended(let appended):
            let results = intake.results(appended.refusals)
            return BatchAnswer(
                receipt: receipt(
                    submission.id,
                    results.count - results.rejected.count,
                    results.rejected,
                    submission.wantsAllResults ? results : results.rejected
                )
            )
        }
    }

    /// Takes a batch in; what was accepted is durable then, and on its way to the devices that are connected.
    func take(_ batch: NewBatch) async throws(GatewayError) -> AppendOutcome {
        let now = try await now(in: batch.namespace)
        noteActive(batch.namespace)
        let connected = sessions.withLock { $0.openAgents }
        let handover = Handover()
        let outcome = try await ask { () async throws(StoreError) in
            try await store.append(batch, connected: connected, at: now) { appended in
                handover.finish(with: self.handOver(appended, at: now))
            }
        }
        guard case .appended(let appended) = outcome else { return outcome }
        await announce(appended, of: batch.namespace, connected: connected, dropping: handover.dropped)
        metrics.noteRejected(batch.rejections.lazy.map(\.rejection.reason))
        metrics.noteRejected(appended.refusals.lazy.compactMap { $0?.rejection.reason })
        metrics.noteAccepted(zip(batch.notifications, appended.refusals).lazy.filter { $1 == nil }.map { $0.0 })
        return outcome
    }

    /// Hands what was accepted to the open streams, without a look into the store.
    ///
    /// - Parameters:
    ///   - appended: what was accepted.
    ///   - now: the present moment.
    /// - Returns: what was now or never and is dropped.
    private func handOver(_ appended: Appended, at now: Timestamp) -> [TransientEnd] {
        guard !appended.flights.isEmpty else { return [] }
        let (dropped, signals) = sessions.withLock { sessions in
            (sessions.add(appended.flights, at: now), sessions.signals(of: Set(appended.flights.map(\.agent))))
        }
        for signal in signals { signal(.somethingNew) }
        return dropped
    }

    /// Tells whom else it concerns what was accepted.
    private func announce(
        _ appended: Appended,
        of namespace: Namespace,
        connected: Set<AgentID>,
        dropping dropped: [TransientEnd]
    ) async {
        for (state, count) in appended.arrivals { metrics.note(count, in: state) }
        if let logged = appended.logged { log.note(logged, in: namespace) }
        var changes = appended.changes
        // The others have their notifications by now; these were not known to be there, and may be meanwhile.
        changes.agents.subtract(connected)
        announce(changes, in: namespace)
        await followUp(FollowUp(ends: dropped))
        await disconnectThoseGone(of: appended.changes.agents.intersection(connected))
    }

    /// Tells the store again which of `agents`, being connected when a batch came, have left while it was stored.
    private func disconnectThoseGone(of agents: Set<AgentID>) async {
        guard !agents.isEmpty else { return }
        await followUp(FollowUp(leaving: agents.subtracting(sessions.withLock { $0.openAgents })))
    }

    /// Reads a batch's items, away from those who answer requests: a large one takes a processor for a while.
    private func read(_ submission: BatchSubmission, _ limits: BatchLimits) async throws(GatewayError) -> ParsedBatch {
        let sources = sources
        let makeID: @Sendable (Int) -> NotificationID = { index in
            guard let key = submission.key else { return NotificationID(rawValue: sources.makeUUID()) }
            return ItemIdentifiers.derived(from: key, in: submission.namespace, index: index)
        }
        let body = submission.body
        return try await Processor.run { () throws(GatewayError) -> ParsedBatch in
            try ParsedBatch(body, limits: limits, makeID: makeID)
        }
    }

    private func receipt(
        _ id: BatchID,
        _ accepted: Int,
        _ rejected: [ItemResult],
        _ results: [ItemResult]
    ) -> BatchReceipt {
        BatchReceipt(
            id: id,
            accepted: accepted,
            rejected: rejected.count,
            durability: store.durability,
            results: results
        )
    }
}

/// What is left of handing a batch over to the open streams.
private final class Handover: Sendable {
    private let ends = Mutex<[TransientEnd]>([])

    /// What was now or never and is dropped.
    var dropped: [TransientEnd] {
        ends.withLock { $0 }
    }

    func finish(with dropped: [TransientEnd]) {
        ends.withLock { $0 = dropped }
    }
}

extension BatchSubmission {
    /// Returns what the store is asked to take of what was read.
    fileprivate func batch(of intake: ParsedBatch) -> NewBatch {
        let makeRecord: @Sendable ([StoreRefusal?]) -> [UInt8] = { refusals in
            ResultRecord.make(intake.results(refusals).rejected)
        }
        return NewBatch(
            id: id,
            namespace: namespace,
            notifications: intake.notifications,
            rejections: intake.rejections,
            isAtomic: isAtomic,
            key: key,
            makeRecord: keepsRejections || key != nil ? makeRecord : nil
        )
    }
}

/// What is kept of a batch for later answers: the results of its rejected items, in JSON.
enum ResultRecord {
    static func make(_ results: [ItemResult]) -> [UInt8] {
        guard !results.isEmpty, let data = try? JSONEncoder().encode(results) else { return [] }
        return Array(data)
    }

    static func results(in record: [UInt8]?) -> [ItemResult] {
        guard let record, !record.isEmpty else { return [] }
        return (try? JSONDecoder().decode([ItemResult].self, from: Data(record))) ?? []
    }
}

/// The threads for work that takes a processor for a while.
enum Processor {
    /// Runs `work` on one of them.
    ///
    /// - Throws: what `work` throws; `GatewayError.shuttingDown` where there are no threads any more.
    static func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws(GatewayError) -> Value
    ) async throws(GatewayError) -> Value {
        // The thread pool's closures throw anything, so the result carries the fault.
        let result: Result<Value, GatewayError>
        do {
            result = try await NIOThreadPool.singleton.runIfActive {
                Result { () throws(GatewayError) in try work() }
            }
        } catch {
            throw .shuttingDown
        }
        return try result.get()
    }
}

extension [ItemResult] {
    /// Those of items that were not accepted.
    var rejected: Self {
        filter { $0.reason != nil }
    }
}
