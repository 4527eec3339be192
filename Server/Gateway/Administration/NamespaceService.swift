internal import GatewayStore
internal import Synchronization
internal import WaypostSchema

extension Mailroom {
    /// Returns every namespace in which there is anything.
    func namespaces() async throws(GatewayError) -> [NamespaceSummary] {
        try await ask { () async throws(StoreError) in try await store.namespaces() }
    }

    /// Forgets everything in a namespace, and ends its streams and those that follow its log.
    func reset(_ namespace: Namespace) async throws(GatewayError) {
        _ = try await ask { () async throws(StoreError) in try await store.reset(namespace) }
        clocks.forget(namespace)
        keys.removeAll(in: namespace)
        channels.removeAll(in: namespace)
        removeFaults(in: namespace)
        noteReset(namespace)
        pending.withLock { $0.forget(namespace) }
        for signal in sessions.withLock({ $0.endAll(in: namespace) }) { signal(.ended(.reset)) }
        log.end(.reset, in: namespace)
    }

    /// Returns what a namespace's clock shows.
    func clock(of namespace: Namespace) async throws(GatewayError) -> ClockReading {
        ClockReading(now: try await now(in: namespace), clock: clocks.source)
    }

    /// Moves a namespace's clock forward; what expires by that has left its inbox when this returns.
    func advanceClock(of namespace: Namespace, _ advance: ClockAdvance) async throws(GatewayError) -> ClockReading {
        let now = try await clocks.advance(namespace, advance)
        try await expire(namespace)
        return ClockReading(now: now, clock: clocks.source)
    }

    /// Takes what has expired out of a namespace's inboxes.
    func expire(_ namespace: Namespace) async throws(GatewayError) {
        let now = try await now(in: namespace)
        let changes = try await ask { () async throws(StoreError) in try await store.expire(namespace, at: now) }
        announce(changes, in: namespace)
    }

    /// Takes what has expired out of every namespace that was used; a namespace whose store fails waits for the next time.
    func expireEverywhere() async {
        for namespace in activeNamespaces { try? await expire(namespace) }
    }
}
