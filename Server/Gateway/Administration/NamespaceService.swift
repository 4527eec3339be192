internal import GatewayStore
internal import Synchronization
internal import WaypostSchema

/// Namespaces, which keep test runs apart, and their clocks.
struct NamespaceService: Sendable {
    let batches: BatchService
    let channels: ChannelService
    let faults: FaultInjector
    let keys: ProviderKeys

    private var delivery: DeliveryService {
        batches.delivery
    }

    /// Returns every namespace in which there is anything.
    func list() async throws(GatewayError) -> [NamespaceSummary] {
        try await delivery.store.call { try await $0.namespaces() }
    }

    /// Forgets everything in a namespace, and ends its streams and those that follow its log.
    func reset(_ namespace: Namespace) async throws(GatewayError) {
        _ = try await delivery.store.call { try await $0.reset(namespace) }
        delivery.clocks.forget(namespace)
        keys.removeAll(in: namespace)
        channels.registry.removeAll(in: namespace)
        faults.removeAll(in: namespace)
        batches.pending.withLock { $0.forget(namespace) }
        delivery.reset(namespace)
    }

    /// Returns what a namespace's clock shows.
    func clock(of namespace: Namespace) async throws(GatewayError) -> ClockReading {
        ClockReading(now: try await delivery.store.now(in: namespace), clock: delivery.clocks.source)
    }

    /// Moves a namespace's clock forward; what expires by that has left its inbox when this returns.
    func advanceClock(of namespace: Namespace, _ advance: ClockAdvance) async throws(GatewayError) -> ClockReading {
        let now = try await delivery.clocks.advance(namespace, advance)
        try await delivery.expire(namespace)
        return ClockReading(now: now, clock: delivery.clocks.source)
    }
}
