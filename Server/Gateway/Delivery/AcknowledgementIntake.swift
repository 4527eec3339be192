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
    struct PendingAcknowledgement: Sendable {
        var agent: AgentID
        var sequences: [Int]

        /// Called with the number of notifications that it removed from an inbox, or with the error of the store.
        var finish: @Sendable (Result<Int, GatewayError>) -> Void
    }

    private enum State {
        case open([PendingAcknowledgement])
        case closed
    }

    /// The maximum number of sequences to store together; a single acknowledgement may have more.
    ///
    /// The store refuses a group with too many items while others wait.
    static let maximumSequences = 20_000

    fileprivate let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let state = Mutex(State.open([]))

    init() {
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Adds an acknowledgement; if the gateway has shut down, it is refused.
    func add(_ waiting: PendingAcknowledgement) {
        let isRefused = state.withLock { state in
            guard case .open(var others) = state else { return true }
            // Leaves a single reference to the array, so that appending does not copy it.
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

    /// Removes and returns the acknowledgements that wait, in groups to store together.
    fileprivate func take() -> [ArraySlice<PendingAcknowledgement>] {
        state.withLock { state in
            guard case .open(let waiting) = state, !waiting.isEmpty else { return [] }
            state = .open([])
            return Self.groups(waiting)
        }
    }

    /// Refuses all further acknowledgements, and returns those that wait, in groups to store together.
    fileprivate func close() -> [ArraySlice<PendingAcknowledgement>] {
        state.withLock { state in
            guard case .open(let waiting) = state else { return [] }
            state = .closed
            return Self.groups(waiting)
        }
    }

    /// Divides acknowledgements into groups, each with at most `maximumSequences` or one acknowledgement.
    static func groups(_ waiting: [PendingAcknowledgement]) -> [ArraySlice<PendingAcknowledgement>] {
        var groups: [ArraySlice<PendingAcknowledgement>] = []
        var (start, sum) = (0, 0)
        for (index, acknowledgement) in waiting.enumerated() {
            if index > start, sum + acknowledgement.sequences.count > maximumSequences {
                groups.append(waiting[start..<index])
                (start, sum) = (index, 0)
            }
            sum += acknowledgement.sequences.count
        }
        return start < waiting.count ? groups + [waiting[start...]] : groups
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
                for group in delivery.acknowledgements.take() { await delivery.store(group) }
            }
            for group in delivery.acknowledgements.close() { await delivery.store(group) }
        } onGracefulShutdown: {
            delivery.acknowledgements.finish()
        }
    }
}

/// Acknowledgements.
extension DeliveryService {
    /// Removes the notifications that an agent acknowledges from its inbox, and returns their number.
    ///
    /// If another gateway has the agent's stream, only that gateway knows which notifications `upTo` covers, and the
    /// transient notifications.
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

    /// Processes an acknowledgement that another gateway has forwarded, and returns the result to that gateway.
    func process(_ forwarded: ForwardedAcknowledgement) {
        let store = store.store
        let isWaiting = acknowledge(forwarded.agent, [forwarded.acknowledgement]) { result in
            store.completeForwarded(forwarded, removed: try? result.get())
        }
        if !isWaiting { store.completeForwarded(forwarded, removed: 0) }
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
            case .sequences(let numbers): sequences += numbers
            case .upTo(let sequence): sequences += sessions.withLock { $0.sequencesCovered(by: agent, upTo: sequence) }
            }
        }
        guard !sequences.isEmpty else { return false }
        self.acknowledgements.add(
            AcknowledgementIntake.PendingAcknowledgement(agent: agent, sequences: sequences, finish: finish)
        )
        return true
    }

    /// Stores acknowledgements together, and calls their `finish` functions.
    fileprivate func store(_ waiting: ArraySlice<AcknowledgementIntake.PendingAcknowledgement>) async {
        do throws(GatewayError) {
            let acknowledged = try await agentAcknowledgements(of: waiting)
            let changes = try await store.call { try await $0.acknowledge(acknowledged) }
            let transient = await finish(acknowledged, changes)
            var rest = changes.removals[...]
            for (acknowledgement, transient) in zip(waiting, transient) {
                let stored = acknowledgement.takeRemovals(from: &rest)
                acknowledgement.finish(.success(stored + transient))
            }
        } catch {
            for acknowledgement in waiting { acknowledgement.finish(.failure(error)) }
        }
    }

    /// Returns the acknowledgements with the times and the attempts that the store records.
    private func agentAcknowledgements(
        of waiting: ArraySlice<AcknowledgementIntake.PendingAcknowledgement>
    ) async throws(GatewayError) -> [AgentAcknowledgement] {
        var times: [Namespace: Timestamp] = [:]
        for namespace in Set(waiting.lazy.map(\.agent.namespace)) {
            times[namespace] = try await store.now(in: namespace)
        }
        return sessions.withLock { sessions in
            waiting.map { acknowledgement in
                AgentAcknowledgement(
                    agent: acknowledgement.agent,
                    notifications: acknowledgement.sequences.map {
                        AgentAcknowledgement.Notification(
                            sequence: $0,
                            attempts: sessions.attempts(of: $0, to: acknowledgement.agent)
                        )
                    },
                    time: times[acknowledgement.agent.namespace]
                        ?? store.clocks.cachedNow(in: acknowledgement.agent.namespace)
                )
            }
        }
    }

    /// Updates the streams, and notifies followers and waiters.
    ///
    /// - Returns: for each acknowledgement, the number of transient notifications that it ended.
    private func finish(_ acknowledged: [AgentAcknowledgement], _ changes: StoreChanges) async -> [Int] {
        var transient: [Int] = []
        var (followUp, signals) = (FollowUp(), [DeviceSessions.SignalHandler]())
        sessions.withLock { sessions in
            for acknowledgement in acknowledged {
                let ends = sessions.acknowledge(
                    acknowledgement.agent,
                    acknowledgement.notifications.lazy.map(\.sequence),
                    at: acknowledgement.time
                )
                transient.append(ends.count)
                followUp.ends += ends
                // A stream that waited for acknowledgements continues.
                if let signal = sessions.signalIfBehind(acknowledgement.agent) { signals.append(signal) }
            }
            // A device that has moved may have got a notification on the stream of its former agent.
            let elsewhere = changes.removals.filter { sessions.isInFlight($0.sequence) }
            for (namespace, removals) in Dictionary(grouping: elsewhere, by: \.agent.namespace) {
                followUp.add(sessions.remove(removals), in: namespace)
            }
        }
        metrics.recordNotifications(changes.removals.count, in: .acknowledged)
        if followers.count > 0 { notifyFollowers(of: changes.removals) }
        batchChanges.notify(changes.settledBatches)
        for signal in signals { signal(.somethingNew) }
        await self.followUp(followUp)
        return transient
    }

    private func notifyFollowers(of removals: [StoreChanges.Removal]) {
        for (namespace, removals) in Dictionary(grouping: removals, by: \.agent.namespace) {
            followers.recordChanges(of: removals.lazy.map(\.sequence), in: namespace)
        }
    }
}

extension AcknowledgementIntake.PendingAcknowledgement {
    /// Removes from `rest` the removals that this acknowledgement made, and returns their number.
    fileprivate func takeRemovals(from rest: inout ArraySlice<StoreChanges.Removal>) -> Int {
        let before = rest.count
        for sequence in sequences {
            if let next = rest.first, next.agent == agent, next.sequence == sequence { rest.removeFirst() }
        }
        return before - rest.count
    }
}
