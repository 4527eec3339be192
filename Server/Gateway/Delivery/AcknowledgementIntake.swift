internal import GatewayStore
internal import LocalService
internal import ServiceLifecycle
internal import Synchronization
internal import WaypostSchema

/// The acknowledgements that wait to be stored.
///
/// All that arrive while the store is busy are stored together, so an acknowledgement needs no task of its own.
final class AcknowledgementIntake: Sendable {
    /// An acknowledgement of an agent.
    struct Waiting: Sendable {
        var agent: AgentID
        var sequences: [Int]

        /// Called with the number of notifications that it removed from an inbox, or with the error of the store.
        var finish: @Sendable (Result<Int, GatewayError>) -> Void
    }

    private enum State {
        case open([Waiting])
        case closed
    }

    /// The most sequences that are stored together; a single acknowledgement may have more.
    ///
    /// The store refuses what has too many items while others wait.
    static let maximumSequences = 20_000

    fileprivate let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let state = Mutex(State.open([]))

    init() {
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Adds an acknowledgement; if the gateway has shut down, it is refused.
    func add(_ waiting: Waiting) {
        let isRefused = state.withLock { state in
            guard case .open(var others) = state else { return true }
            // The only reference, so that the array is not copied.
            state = .closed
            others.append(waiting)
            state = .open(others)
            return false
        }
        guard !isRefused else {
            waiting.finish(.failure(.shuttingDown))
            return
        }
        signal.yield()
    }

    /// Removes and returns the acknowledgements that wait, in pieces to be stored together.
    fileprivate func take() -> [ArraySlice<Waiting>] {
        state.withLock { state in
            guard case .open(let waiting) = state, !waiting.isEmpty else { return [] }
            state = .open([])
            return Self.pieces(waiting)
        }
    }

    /// Refuses all further acknowledgements, and returns those that wait, in pieces to be stored together.
    fileprivate func close() -> [ArraySlice<Waiting>] {
        state.withLock { state in
            guard case .open(let waiting) = state else { return [] }
            state = .closed
            return Self.pieces(waiting)
        }
    }

    /// Divides acknowledgements into pieces, each with at most `maximumSequences` or one acknowledgement.
    static func pieces(_ waiting: [Waiting]) -> [ArraySlice<Waiting>] {
        var pieces: [ArraySlice<Waiting>] = []
        var (start, sum) = (0, 0)
        for (index, one) in waiting.enumerated() {
            if index > start, sum + one.sequences.count > maximumSequences {
                pieces.append(waiting[start..<index])
                (start, sum) = (index, 0)
            }
            sum += one.sequences.count
        }
        return start < waiting.count ? pieces + [waiting[start...]] : pieces
    }

    /// Ends the signals, so that the service can end.
    fileprivate func finish() {
        signal.finish()
    }
}

/// Stores the acknowledgements of devices, until the courier listener has ended.
struct AcknowledgementService: Service {
    let delivery: DeliveryService

    func run() async throws {
        await withGracefulShutdownHandler {
            for await _ in delivery.acknowledgements.signals {
                for piece in delivery.acknowledgements.take() { await delivery.store(piece) }
            }
            for piece in delivery.acknowledgements.close() { await delivery.store(piece) }
        } onGracefulShutdown: {
            delivery.acknowledgements.finish()
        }
    }
}

/// Acknowledgements.
extension DeliveryService {
    /// Removes the notifications that an agent acknowledges from its inbox, and returns their number.
    ///
    /// If another gateway has the agent's stream, only that one knows what `upTo` covers, and the transient
    /// notifications.
    func acknowledge(_ agent: AgentID, _ acknowledgement: Acknowledgement) async throws(GatewayError) -> Int {
        let mayBeElsewhere = store.store.isShared && !sessions.withLock { $0.hasStream(agent) }
        guard mayBeElsewhere else { return try await acknowledgeHere(agent, acknowledgement) }
        guard case .sequences(let sequences) = acknowledgement else { return try await forward(agent, acknowledgement) }
        let count = try await acknowledgeHere(agent, acknowledgement)
        return count < sequences.count ? try await count + forward(agent, acknowledgement) : count
    }

    private func forward(_ agent: AgentID, _ acknowledgement: Acknowledgement) async throws(GatewayError) -> Int {
        try await store.call { try await $0.forward(acknowledgement, of: agent) }
    }

    /// Processes an acknowledgement that another gateway has forwarded, and answers it.
    func process(_ forwarded: ForwardedAcknowledgement) {
        let store = store.store
        let isWaiting = acknowledge(forwarded.agent, [forwarded.acknowledgement]) { result in
            store.answer(forwarded, try? result.get())
        }
        if !isWaiting { store.answer(forwarded, 0) }
    }

    private func acknowledgeHere(
        _ agent: AgentID,
        _ acknowledgement: Acknowledgement
    ) async throws(GatewayError) -> Int {
        let result: Result<Int, GatewayError> = await withCheckedContinuation { continuation in
            let isWaiting = acknowledge(agent, [acknowledgement]) { continuation.resume(returning: $0) }
            if !isWaiting { continuation.resume(returning: .success(0)) }
        }
        return try result.get()
    }

    /// Begins to remove the notifications that an agent acknowledges from its inbox.
    ///
    /// - Parameters:
    ///   - agent: the agent.
    ///   - acknowledgements: its acknowledgements, in order.
    ///   - finish: called with the number of notifications that left the inbox, or with the error of the store.
    /// - Returns: whether `finish` will be called; it is not if nothing is acknowledged.
    func acknowledge(
        _ agent: AgentID,
        _ acknowledgements: [Acknowledgement],
        finish: @escaping @Sendable (Result<Int, GatewayError>) -> Void
    ) -> Bool {
        var sequences: [Int] = []
        for acknowledgement in acknowledgements {
            switch acknowledgement {
            case .sequences(let named): sequences += named
            case .upTo(let sequence): sequences += sessions.withLock { $0.covered(agent, upTo: sequence) }
            }
        }
        guard !sequences.isEmpty else { return false }
        self.acknowledgements.add(AcknowledgementIntake.Waiting(agent: agent, sequences: sequences, finish: finish))
        return true
    }

    /// Stores acknowledgements together, and tells those that wait for them.
    fileprivate func store(_ waiting: ArraySlice<AcknowledgementIntake.Waiting>) async {
        do throws(GatewayError) {
            let acknowledged = try await acknowledged(waiting)
            let changes = try await store.call { try await $0.acknowledge(acknowledged) }
            let transient = await finish(acknowledged, changes)
            var rest = changes.removals[...]
            for (one, transient) in zip(waiting, transient) {
                let stored = one.removals(from: &rest)
                one.finish(.success(stored + transient))
            }
        } catch {
            for one in waiting { one.finish(.failure(error)) }
        }
    }

    /// Returns the acknowledgements with the times and the attempts that the store records.
    private func acknowledged(
        _ waiting: ArraySlice<AcknowledgementIntake.Waiting>
    ) async throws(GatewayError) -> [AgentAcknowledgement] {
        var times: [Namespace: Timestamp] = [:]
        for namespace in Set(waiting.lazy.map(\.agent.namespace)) {
            times[namespace] = try await store.now(in: namespace)
        }
        return sessions.withLock { sessions in
            waiting.map { one in
                AgentAcknowledgement(
                    agent: one.agent,
                    notifications: one.sequences.map {
                        AgentAcknowledgement.Notification(
                            sequence: $0,
                            attempts: sessions.attempts(of: $0, to: one.agent)
                        )
                    },
                    moment: times[one.agent.namespace] ?? store.clocks.present(in: one.agent.namespace)
                )
            }
        }
    }

    /// Updates the streams, and notifies followers and waiters.
    ///
    /// - Returns: for each acknowledgement, the number of transient notifications that it ended.
    private func finish(_ acknowledged: [AgentAcknowledgement], _ changes: StoreChanges) async -> [Int] {
        var transient: [Int] = []
        var (followUp, signals) = (FollowUp(), [DeviceSessions.SignalTo]())
        sessions.withLock { sessions in
            for one in acknowledged {
                let ends = sessions.acknowledge(one.agent, one.notifications.lazy.map(\.sequence), at: one.moment)
                transient.append(ends.count)
                followUp.ends += ends
                // A stream that waited for acknowledgements continues.
                if let signal = sessions.signalOfStreamBehind(one.agent) { signals.append(signal) }
            }
            // A device that has moved may have got a notification on the stream of its former agent.
            let elsewhere = changes.removals.filter { sessions.isInFlight($0.sequence) }
            for (namespace, removals) in Dictionary(grouping: elsewhere, by: \.agent.namespace) {
                followUp.add(sessions.forget(removals), in: namespace)
            }
        }
        metrics.note(changes.removals.count, in: .acknowledged)
        if followers.count > 0 { recordLogged(changes.removals) }
        batches.notify(changes.settledBatches)
        for signal in signals { signal(.somethingNew) }
        await self.followUp(followUp)
        return transient
    }

    private func recordLogged(_ removals: [StoreChanges.Removal]) {
        for (namespace, removals) in Dictionary(grouping: removals, by: \.agent.namespace) {
            followers.note(removals.lazy.map(\.sequence), in: namespace)
        }
    }
}

extension AcknowledgementIntake.Waiting {
    /// Removes from `rest` the removals that this acknowledgement made, and returns their number.
    fileprivate func removals(from rest: inout ArraySlice<StoreChanges.Removal>) -> Int {
        let before = rest.count
        for sequence in sequences {
            if let next = rest.first, next.agent == agent, next.sequence == sequence { rest.removeFirst() }
        }
        return before - rest.count
    }
}
