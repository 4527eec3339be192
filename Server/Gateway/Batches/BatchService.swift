internal import Foundation
internal import GatewayStore
internal import JSONScanning
internal import LocalService
internal import Logging
internal import NIOPosix
internal import ServiceLifecycle
internal import Synchronization
internal import WaypostSchema

/// Accepts batches, either before the response or one after another after it, and reports their status.
///
/// The intake limiter bounds the number of waiting batches. At a graceful shutdown, waiting batches are stored first.
final class BatchService: Service {
    let delivery: DeliveryService
    let limits: BatchLimits
    private let missingExpiration: MissingExpiration
    let sources: GatewaySources

    /// The key of a batch that was answered before it was stored.
    struct PendingKey: Hashable {
        var namespace: Namespace
        var id: BatchID
    }

    /// Notifies waiters when a pending batch is stored or refused.
    let pendingChanges = ChangeNotifier<PendingKey>()

    private let submissions: AsyncStream<BatchSubmission>
    private let queue: AsyncStream<BatchSubmission>.Continuation

    init(
        _ delivery: DeliveryService,
        limits: BatchLimits,
        missingExpiration: MissingExpiration,
        sources: GatewaySources
    ) {
        self.missingExpiration = missingExpiration
        self.delivery = delivery
        self.limits = limits
        self.sources = sources
        (submissions, queue) = AsyncStream.makeStream()
    }

    // MARK: Before the response

    /// Returns the response to an earlier batch with the same key, or `nil` if there is none.
    ///
    /// - Throws: `GatewayError.idempotencyConflict` if the key was used for another batch.
    func replay(_ submission: BatchSubmission) async throws(GatewayError) -> BatchResponse? {
        guard let key = submission.key else { return nil }
        let earlier = try await delivery.store.call(in: submission.options.namespace) { store, now in
            try await store.batch(with: key.key, in: submission.options.namespace, at: now)
        }
        guard let earlier else { return nil }
        try reserveResults(of: earlier.batch, for: submission)
        return try await replay(earlier, submission)
    }

    private func replay(
        _ keyedBatch: KeyedBatch,
        _ submission: BatchSubmission
    ) async throws(GatewayError) -> BatchResponse {
        guard let key = submission.key, keyedBatch.fingerprint == key.fingerprint else {
            throw .idempotencyConflict(submission.key?.key ?? "")
        }
        let batch = keyedBatch.batch
        let rejected = try results(of: batch) ?? []
        var results = rejected
        if submission.options.wantsAllResults { results = try await parse(submission).results(withRejected: rejected) }
        return BatchResponse(
            receipt: receipt(
                batch.id,
                accepted: batch.acceptedCount,
                rejected: batch.rejectedCount,
                results: results
            ),
            isReplay: true
        )
    }

    /// Reserves memory for the stored results of an earlier batch, before they are decoded.
    private func reserveResults(of batch: BatchRecord, for submission: BatchSubmission) throws(GatewayError) {
        let bytes = BatchFootprint.bytes(body: submission.body.count, items: batch.rejectedCount)
        try submission.reservation.reserve(upTo: bytes)
    }

    /// Stores a batch and returns the results of its items, once they are as durable as the receipt says.
    ///
    /// A batch without an accepted item has a response, too, which may not be stored.
    ///
    /// - Throws: `GatewayError.batchRefused` for an atomic batch with a rejected item, or an error of the body or of the
    ///   store.
    func accept(_ submission: BatchSubmission) async throws(GatewayError) -> BatchResponse {
        let batch = try await parse(submission)
        switch try await delivery.append(submission.newBatch(of: batch)) {
        case .duplicate(let earlier):
            // A batch that was answered is not refused because others use the memory.
            if !submission.options.isAsynchronous { try reserveResults(of: earlier.batch, for: submission) }
            return try await replay(earlier, submission)
        case .refused(let refusals):
            let rejected = batch.results(refusals: refusals).rejected
            delivery.metrics.recordRejected(rejected.lazy.compactMap(\.reason))
            guard !submission.options.isAtomic else { throw .batchRefused(rejected, of: batch.items.count) }
            return BatchResponse(
                receipt: receipt(submission.id, accepted: 0, rejected: rejected.count, results: rejected),
                isStored: false
            )
        case .appended(let appended):
            let results = batch.results(refusals: appended.refusals)
            let rejected = results.rejected
            let reportedResults = submission.options.wantsAllResults ? results : rejected
            return BatchResponse(
                receipt: receipt(
                    submission.id,
                    accepted: results.count - rejected.count,
                    rejected: rejected.count,
                    results: reportedResults,
                    findings: batch.findings(
                        refusals: appended.refusals,
                        at: delivery.clocks.cachedNow(in: submission.options.namespace)
                    )
                )
            )
        }
    }

    /// Parses a batch's items, on other threads than those that handle requests: a large batch takes a while.
    private func parse(_ submission: BatchSubmission) async throws(GatewayError) -> ParsedBatch {
        let (sources, limits, body, trace) = (sources, limits, submission.body, submission.options.trace)
        let (reservation, isAnswered) = (submission.reservation, submission.options.isAsynchronous)
        let (now, missingExpiration) = (delivery.clocks.systemTime, missingExpiration)
        let makeID: @Sendable (Int) -> NotificationID = { index in
            guard let key = submission.key else { return NotificationID(rawValue: sources.makeUUID()) }
            return ItemIdentifiers.derived(from: key, in: submission.options.namespace, index: index)
        }
        return try await Processor.run { () throws(GatewayError) -> ParsedBatch in
            try ParsedBatch(
                body,
                limits: limits,
                trace: trace,
                now: now,
                missingExpiration: missingExpiration,
                makeID: makeID
            ) { itemCount throws(GatewayError) in
                // A batch that was answered is not refused because others use the memory; such batches are parsed one
                // at a time.
                guard !isAnswered else { return }
                try reservation.reserve(upTo: BatchFootprint.bytes(body: body.count, items: itemCount))
            }
        }
    }

    /// Returns the results of a batch's rejected items, or `nil` if they were not stored.
    ///
    /// - Throws: `GatewayError.internalError` if the stored results cannot be read.
    func results(of batch: BatchRecord) throws(GatewayError) -> [ItemResult]? {
        guard let storedAnswer = batch.storedAnswer else { return nil }
        do {
            return try ResultRecord.results(in: storedAnswer)
        } catch {
            delivery.store.logger.error(
                "cannot read the stored results of a batch",
                metadata: ["batch": "\(batch.id)", "error": "\(error)"]
            )
            throw .internalError
        }
    }

    private func receipt(
        _ id: BatchID,
        accepted: Int,
        rejected: Int,
        results: [ItemResult],
        findings: [ItemFinding] = []
    ) -> BatchReceipt {
        BatchReceipt(
            id: id,
            accepted: accepted,
            rejected: rejected,
            durability: delivery.store.store.durability,
            results: results,
            findings: findings.isEmpty ? nil : findings
        )
    }

    // MARK: After the response

    /// Queues a batch.
    ///
    /// - Throws: `GatewayError.shuttingDown` if the gateway is shutting down, and `store`.
    func add(_ submission: BatchSubmission) async throws(GatewayError) {
        let (id, namespace) = (submission.id, submission.options.namespace)
        try await delivery.store.call { try await $0.addPendingBatch(id, in: namespace) }
        if case .terminated = queue.yield(submission) {
            await finish(submission, as: nil)
            throw .shuttingDown
        }
    }

    func run() async throws {
        await withGracefulShutdownHandler {
            for await submission in submissions { await acceptPending(submission) }
        } onGracefulShutdown: {
            self.queue.finish()
        }
    }

    private func acceptPending(_ submission: BatchSubmission) async {
        // After a reset of its namespace, nothing waits for the batch any longer.
        guard await isWaiting(submission) else { return }
        await finish(submission, as: await outcome(of: submission))
    }

    private func isWaiting(_ submission: BatchSubmission) async -> Bool {
        let (id, namespace) = (submission.id, submission.options.namespace)
        do throws(GatewayError) {
            return try await delivery.store.call { try await $0.pendingBatch(id, in: namespace) } != nil
        } catch {
            // The sender was told that the batch will be stored, so the gateway tries to store it.
            return true
        }
    }

    /// Stores a batch; returns the outcome if the batch was refused or had been stored before.
    private func outcome(of submission: BatchSubmission) async -> PendingBatch? {
        do throws(GatewayError) {
            let response = try await accept(submission)
            guard response.isStored else {
                let error = GatewayError.batchRefused(response.receipt.results, of: response.receipt.rejected)
                return .refused(error.body)
            }
            return response.isReplay ? .duplicate(response.receipt.id) : nil
        } catch {
            return .refused(error.body)
        }
    }

    /// Records that a batch no longer waits; if the store fails, a status request still finds a stored batch.
    private func finish(_ submission: BatchSubmission, as outcome: PendingBatch?) async {
        let (id, namespace) = (submission.id, submission.options.namespace)
        try? await delivery.store.call { try await $0.endPendingBatch(id, in: namespace, as: outcome) }
        pendingChanges.notify([PendingKey(namespace: namespace, id: id)])
    }
}

extension BatchSubmission {
    /// Returns the batch to store, made from the parsed items.
    fileprivate func newBatch(of batch: ParsedBatch) -> NewBatch {
        let encodeAnswer: @Sendable ([StoreRefusal?]) -> [UInt8] = { refusals in
            ResultRecord.make(batch.results(refusals: refusals).rejected)
        }
        return NewBatch(
            id: id,
            namespace: options.namespace,
            notifications: batch.notifications,
            rejections: batch.rejections,
            isAtomic: options.isAtomic,
            key: key,
            encodeAnswer: options.isAsynchronous || key != nil ? encodeAnswer : nil
        )
    }
}

/// The stored form of a batch's rejected items, for later responses: their results in JSON.
enum ResultRecord {
    /// The number of results that are encoded at once: the encoder needs many times the memory of their text.
    private static let partCount = 256

    static func make(_ results: [ItemResult]) -> [UInt8] {
        guard !results.isEmpty else { return [] }
        var record: [UInt8] = []
        for start in stride(from: 0, to: results.count, by: partCount) {
            let part = Array(results[start...].prefix(partCount))
            guard let text = try? JSONEncoder().encode(part) else { return [] }
            record.append(UInt8(ascii: start == 0 ? "[" : ","))
            // The text of a list has brackets of its own.
            record += text.dropFirst().dropLast()
        }
        return record + [UInt8(ascii: "]")]
    }

    static func results(in record: [UInt8]) throws -> [ItemResult] {
        guard !record.isEmpty else { return [] }
        return try DocumentDecoder.decode([ItemResult].self, from: record)
    }
}

/// The threads for CPU-bound work.
enum Processor {
    /// Runs `work` on one of the threads.
    ///
    /// - Throws: any error of `work`; `GatewayError.shuttingDown` if the threads have stopped.
    static func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws(GatewayError) -> Value
    ) async throws(GatewayError) -> Value {
        // The thread pool's closures throw any error, so the result carries the typed one.
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
    /// The results of the items that were not accepted.
    var rejected: Self {
        filter { $0.reason != nil }
    }
}
