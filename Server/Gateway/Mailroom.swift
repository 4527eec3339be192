internal import GatewayStore
internal import Synchronization
internal import WaypostSchema

/// Where notifications come in and go out: the store, the open streams and those who wait, kept in step.
///
/// Each method changes the store first, then tells whom it concerns, holding no lock. Where both locks are needed the
/// store's is taken first.
final class Mailroom: Sendable {
    private let store: MemoryStore
    private let sessions = Mutex(DeviceSessions())
    private let observers = BatchObservers()
    private let sources: GatewaySources

    init(store: MemoryStore, sources: GatewaySources) {
        self.store = store
        self.sources = sources
    }

    /// Registers a device.
    ///
    /// - Throws: `GatewayFault.unknownSecret` where the device wants to join an agent that is not there.
    func register(_ registration: DeviceRegistration) throws(GatewayFault) -> DeviceCredential {
        let credential = DeviceCredential(
            token: DeviceToken(rawValue: sources.randomHexadecimal(bytes: 32)),
            secret: registration.secret ?? AgentSecret(rawValue: sources.randomHexadecimal(bytes: 32))
        )
        let isKnown = store.withRecords { records in
            if let secret = registration.secret, !records.knows(secret) { return false }
            records.register(credential.token, topics: registration.topics, secret: credential.secret)
            return true
        }
        guard isKnown else { throw .unknownSecret }
        return credential
    }

    /// Takes in an inflated batch and returns what became of its items.
    ///
    /// - Throws: `GatewayFault` where nothing of the batch was accepted.
    func accept(_ bytes: [UInt8], limits: BatchLimits, allResults: Bool) throws(GatewayFault) -> BatchReceipt {
        let intake = try BatchIntake(bytes, limits: limits) { NotificationID(rawValue: sources.makeUUID()) }
        let id = BatchID(rawValue: sources.makeUUID())
        let results = intake.results(store(intake, as: id))
        let rejected = results.filter { $0.reason != nil }
        return BatchReceipt(
            id: id,
            accepted: results.count - rejected.count,
            rejected: rejected.count,
            durability: store.durability,
            results: allResults ? results : rejected
        )
    }

    private func store(_ intake: BatchIntake, as id: BatchID) -> [StoreRefusal?] {
        let (refusals, changes) = store.withRecords { records in
            // Asked while the store is held, so that no stream closes between the question and the answer's use.
            let connected = sessions.withLock { $0.openAgents }
            return records.append(
                intake.notifications,
                batch: id,
                rejected: intake.items.count - intake.notifications.count,
                isConnected: connected.contains,
                at: sources.now()
            )
        }
        announce(changes)
        return refusals
    }

    /// Returns what has become of a batch.
    func status(of batch: BatchID) throws(GatewayFault) -> BatchStatus {
        let (status, changes) = store.withRecords { records in
            let changes = records.expire(inboxesOf: batch, at: sources.now())
            return (records.status(of: batch), changes)
        }
        announce(changes)
        guard let status else { throw .unknownBatch(batch) }
        return status
    }

    /// Returns what has become of a batch once every accepted item of it is in a final state, or once the task is
    /// cancelled.
    func settledStatus(of batch: BatchID) async throws(GatewayFault) -> BatchStatus {
        let changes = observers.changes(of: batch)
        var status = try status(of: batch)
        if status.isSettled { return status }
        for await _ in changes {
            status = try self.status(of: batch)
            if status.isSettled { break }
        }
        return status
    }

    /// Whether `secret` belongs to an agent.
    func knows(_ secret: AgentSecret) -> Bool {
        store.withRecords { $0.knows(secret) }
    }

    /// Opens an agent's stream behind sequence `cursor`, in the place of one that is open; returns its number.
    func openStream(
        _ agent: AgentSecret,
        after cursor: Int,
        signal: @escaping @Sendable (DeviceSessions.Signal) -> Void
    ) -> Int {
        let (number, predecessor) = sessions.withLock { $0.open(agent, after: cursor, signal: signal) }
        predecessor?(.takenOver)
        return number
    }

    /// Closes an agent's stream; what was now or never is dropped with it.
    func closeStream(_ agent: AgentSecret, number: Int) {
        let changes = store.withRecords { records in
            let wasOpen = sessions.withLock { $0.close(agent, number: number) }
            return wasOpen ? records.dropNowOrNever(of: agent) : GatewayRecords.Changes()
        }
        announce(changes)
    }

    /// Returns the next notifications of an agent's inbox, noted as sent on its stream.
    func nextPage(_ agent: AgentSecret, stream number: Int, after cursor: Int, limit: Int) -> [StoredNotification] {
        let (page, changes) = store.withRecords { $0.read(agent, after: cursor, limit: limit, at: sources.now()) }
        if let last = page.last {
            sessions.withLock { $0.noteSent(agent, number: number, through: last.sequence) }
        }
        announce(changes)
        return page
    }

    /// Takes what an agent acknowledges out of its inbox; returns how many notifications that were.
    func acknowledge(_ agent: AgentSecret, _ acknowledgement: Acknowledgement) -> Int {
        let (count, changes) =
            switch acknowledgement {
            case .sequences(let sequences):
                store.withRecords { $0.acknowledge(agent, sequences) }
            case .upTo(let sequence):
                acknowledge(agent, in: sessions.withLock { $0.covered(agent, upTo: sequence) })
            }
        announce(changes)
        return count
    }

    private func acknowledge(_ agent: AgentSecret, in range: ClosedRange<Int>?) -> (Int, GatewayRecords.Changes) {
        guard let range else { return (0, GatewayRecords.Changes()) }
        return store.withRecords { $0.acknowledge(agent, in: range) }
    }

    private func announce(_ changes: GatewayRecords.Changes) {
        let signals = sessions.withLock { $0.signals(of: changes.agents) }
        for signal in signals { signal(.somethingNew) }
        observers.notify(changes.batches)
    }
}

extension BatchStatus {
    /// Whether nothing more will become of the batch's accepted items.
    var isSettled: Bool {
        states.keys.allSatisfy(\.isFinal)
    }
}
