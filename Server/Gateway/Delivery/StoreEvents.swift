internal import GatewayStore
internal import LocalService
internal import Logging
internal import ServiceLifecycle
internal import Synchronization
internal import WaypostSchema

/// Processes the events that report the changes of other gateways in the store.
struct StoreEventService: Service {
    let gateway: GatewayServices

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for await event in gateway.delivery.store.store.events { await gateway.receive(event) }
        }
    }
}

extension GatewayServices {
    /// Notifies the streams, waiters and followers that an event affects, and corrects the copies of the changed data.
    func receive(_ event: StoreEvent) async {
        switch event {
        case .changed(let changes, let namespace):
            delivery.recordActive(namespace)
            delivery.notifyObservers(of: changes, in: namespace)
        case .logged(let runs, let namespace):
            delivery.recordActive(namespace)
            for run in runs { delivery.followers.recordChanges(of: run, in: namespace) }
        case .deviceChanged(let agent, let token, let topics):
            let now = delivery.clocks.cachedNow(in: agent.namespace)
            await delivery.endTransient(of: agent, to: token, accepting: topics, at: now)
        case .sessionOpened(let agent, let epoch):
            delivery.sessions.withLock { $0.recordSession(epoch, of: agent) }?(.ended(.replaced))
        case .pendingEnded(let id, let namespace):
            batches.pendingChanges.notify([BatchService.PendingKey(namespace: namespace, id: id)])
        case .clockMoved(let namespace): await reloadClock(of: namespace)
        case .keysChanged: await keys.reload()
        case .faultsChanged: await faults.reload()
        case .reset(let namespace): await handleReset(of: namespace)
        case .behind(let sequences):
            let signals = delivery.sessions.withLock { $0.recordNewNotifications(upTo: sequences) }
            for signal in signals { signal(.somethingNew) }
            await endOutdatedStreams(reason: .replaced)
            await delivery.dropForgottenTransient()
        case .acknowledgementForwarded(let forwarded): delivery.process(forwarded)
        case .expelled:
            delivery.store.logger.warning("another gateway took this one for dead; the streams end")
            endAllStreams()
            await reloadEverything()
        case .gap:
            delivery.store.logger.warning("events of the store may be missing; everything is read again")
            await reloadEverything()
        }
    }

    private func reloadClock(of namespace: Namespace) async {
        await delivery.clocks.reload(namespace)
        namespaces.followers.recordMove(in: namespace)
    }

    /// Removes the data of a namespace that another gateway has reset.
    ///
    /// The event may be late: the namespace may exist again. Its devices and keys stay. But log streams that were
    /// opened since the deletion end, too, and the report about senders loses the requests since then.
    private func handleReset(of namespace: Namespace) async {
        delivery.clocks.forget(namespace)
        senders.reset(namespace)
        delivery.followers.end(.reset, in: namespace)
        await endOutdatedStreams(reason: .reset)
        await keys.reload()
        await faults.reload()
        await reloadClock(of: namespace)
    }

    /// Reads everything again, because anything may have changed.
    private func reloadEverything() async {
        await endOutdatedStreams(reason: .failed)
        for signal in delivery.sessions.withLock({ $0.rewindAll() }) { signal(.somethingNew) }
        delivery.batchChanges.notifyAll()
        batches.pendingChanges.notifyAll()
        delivery.followers.recordGap()
        await keys.reload()
        await faults.reload()
        for namespace in delivery.clocks.readNamespaces {
            await delivery.clocks.replace(namespace)
            namespaces.followers.recordMove(in: namespace)
        }
        // A namespace that cannot be read now is recorded with its next notification.
        try? await recordNamespaces()
    }

    /// Ends the streams whose sessions are not current in the store, and closes sessions there that have no stream; if
    /// the store fails, they stay until the next time.
    ///
    /// A session may have no stream if the outcome of its opening was unknown, or if the database failed over to a
    /// server that missed its end.
    private func endOutdatedStreams(reason: StreamEnd.Reason) async {
        // Before the store is read: a session that is opened meanwhile is not outdated.
        let epochs = delivery.sessions.withLock(\.epochs)
        guard let stored = try? await delivery.store.call({ try await $0.ownSessions() }) else { return }
        for (agent, epoch) in epochs where stored[agent] != epoch {
            delivery.sessions.withLock { $0.signal(of: agent, epoch) }?(.ended(reason))
        }
        delivery.closeSessionsWithoutStream(stored)
    }
}
