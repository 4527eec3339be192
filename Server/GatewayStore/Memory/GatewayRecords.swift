import Delivery
import WaypostSchema

/// Everything the gateway must not lose, as a value: what each namespace holds, and the numbers that all of them share.
///
/// Nothing here waits, locks or reads a clock; `MemoryStore` keeps one of these.
struct GatewayRecords: Sendable {
    /// The last numbers that were given; none is given twice, whatever is forgotten.
    struct Numbers: Sendable {
        private var lastAgent = 0
        private var lastBatch = 0
        private var lastSequence = 0

        mutating func nextAgent() -> Int {
            lastAgent += 1
            return lastAgent
        }

        mutating func nextBatch() -> BatchNumber {
            lastBatch += 1
            return BatchNumber(rawValue: lastBatch)
        }

        mutating func nextSequence() -> Int {
            lastSequence += 1
            return lastSequence
        }
    }

    /// The seconds for which each log keeps what has ended; 0 keeps no log.
    let logRetention: Int

    private var namespaces: [Namespace: NamespaceRecords] = [:]
    private var numbers = Numbers()

    init(logRetention: Int) {
        self.logRetention = logRetention
    }

    /// What is in a namespace; `nil` where nothing was written to it.
    subscript(name: Namespace) -> NamespaceRecords? {
        _read { yield namespaces[name] }
        _modify { yield &namespaces[name] }
    }

    /// What is in a namespace, which is there once it was written to.
    subscript(orNew name: Namespace) -> NamespaceRecords {
        _read { yield namespaces[name, default: NamespaceRecords(name: name, logRetention: logRetention)] }
        _modify { yield &namespaces[name, default: NamespaceRecords(name: name, logRetention: logRetention)] }
    }

    mutating func register(_ device: NewDevice, in namespace: Namespace, at now: Timestamp) -> RegistrationOutcome {
        // What is refused leaves no namespace behind, so that it is asked first and without writing.
        if let refusal = self[orNew: namespace].refusal(of: device) { return refusal }
        return namespaces[namespace, default: NamespaceRecords(name: namespace, logRetention: logRetention)]
            .register(device, at: now, &numbers)
    }

    /// The namespace in which a device has `token`: one in which it is active, and of those the one in which it was last.
    func home(of token: DeviceToken) -> Namespace? {
        let homes = namespaces.values.compactMap { records in records.devices[token].map { (records.name, $0) } }
        let best = homes.max { first, second in
            let order = { (device: NamespaceRecords.Device) in
                (device.standing == .active ? 1 : 0, device.since.rawValue, device.number)
            }
            return order(first.1) < order(second.1)
        }
        return best?.0
    }

    /// The keys of every namespace that has any, by identifier.
    var keys: [Namespace: [ProviderKey]] {
        namespaces.compactMapValues { records in
            records.keys.isEmpty ? nil : records.keys.values.sorted { $0.id.rawValue < $1.id.rawValue }
        }
    }

    /// The channels of every namespace that has any, by name.
    var channels: [Namespace: [BroadcastChannel]] {
        namespaces.compactMapValues { records in
            records.channels.isEmpty ? nil : records.channels.values.sorted { $0.id.rawValue < $1.id.rawValue }
        }
    }

    func agent(with digest: SecretDigest) -> AgentID? {
        // An agent's secret is random, so that no two namespaces know it; the older one is meant if they did.
        namespaces.values.compactMap { $0.agent(with: digest) }.min { $0.number < $1.number }
    }

    mutating func append(_ batch: NewBatch, connected: Set<AgentID>, at now: Timestamp) -> AppendOutcome {
        if let key = batch.key?.key, let known = namespaces[batch.namespace]?.batches.batch(with: key, at: now) {
            return .known(known)
        }
        let refusals = self[orNew: batch.namespace].refusals(of: batch.notifications)
        if batch.isAtomic, !batch.rejections.isEmpty || refusals.contains(where: { $0 != nil }) {
            return .refusedWhole(refusals)
        }
        return .appended(
            namespaces[batch.namespace, default: NamespaceRecords(name: batch.namespace, logRetention: logRetention)]
                .take(batch, refusals: refusals, connected: connected, at: now, &numbers)
        )
    }

    /// Counts something that was now or never in its final state, and notes that in the log.
    mutating func settle(_ end: FlightEnd) {
        guard end.state.isFinal else { return }
        namespaces[end.namespace]?.batches.move(1, of: end.batch, from: .accepted, to: end.state)
        namespaces[end.namespace]?.log.end(end.sequence, as: end.state, at: end.moment, end.attempts)
    }

    var summaries: [NamespaceSummary] {
        namespaces.values.map(\.summary).sorted { $0.name.rawValue < $1.name.rawValue }
    }

    mutating func reset(_ namespace: Namespace) -> Set<AgentID> {
        Set(namespaces.removeValue(forKey: namespace)?.allAgents ?? [])
    }
}
