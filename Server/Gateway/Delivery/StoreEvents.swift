internal import GatewayStore
internal import LocalService
internal import Logging
internal import ServiceLifecycle
internal import Synchronization
internal import WaypostSchema

/// Passes on what other gateways have changed in the store.
struct StoreEventService: Service {
    let gateway: GatewayServices

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for await event in gateway.delivery.store.store.events { await gateway.receive(event) }
        }
    }
}

extension GatewayServices {
    /// Notifies the streams, waiters and followers that an event affects, and corrects the copies of what it changed.
    func receive(_ event: StoreEvent) async {
        switch event {
        case .changed(let changes, let namespace): delivery.spread(changes, in: namespace)
        case .logged(let runs, let namespace): for run in runs { delivery.followers.note(run, in: namespace) }
        case .sessionOpened(let agent, let epoch):
            delivery.sessions.withLock { $0.noteSession(epoch, of: agent) }?(.ended(.replaced))
        case .pendingEnded(let id, let namespace):
            batches.arrivals.notify([BatchService.PendingKey(namespace: namespace, id: id)])
        case .clockMoved(let namespace, let now):
            delivery.clocks.see(now, in: namespace)
            namespaces.followers.noteMove(in: namespace)
        case .keysChanged: await keys.reload()
        case .faultsChanged: await faults.reload()
        case .reset(let namespace):
            namespaces.forget(namespace)
            await faults.reload()
        case .gap: await lookAtEverything()
        }
    }

    /// Assumes that anything may have changed.
    private func lookAtEverything() async {
        delivery.store.logger.warning("events of the store may be missing; everything is read again")
        for signal in delivery.sessions.withLock({ $0.noteNewForAll() }) { signal(.somethingNew) }
        delivery.batches.notifyAll()
        batches.arrivals.notifyAll()
        delivery.followers.noteGap()
        await keys.reload()
        await faults.reload()
        for namespace in delivery.clocks.known {
            _ = try? await delivery.clocks.now(in: namespace)
            namespaces.followers.noteMove(in: namespace)
        }
    }
}
