internal import GatewayStore
internal import Logging
internal import ServiceLifecycle
internal import Synchronization
internal import WaypostSchema

/// Keeps a gateway registered as a member of its store, if other gateways may use the store.
///
/// It is the first service, so it ends after all others: a gateway that shuts down stays a member until its streams are
/// closed.
struct ClusterService: Service {
    /// The time between two renewals.
    private static let interval = Duration.seconds(1)

    let gateway: GatewayServices
    let health: HealthMonitor

    private var now: @Sendable () -> Timestamp {
        gateway.delivery.clocks.sources.now
    }

    private var store: any GatewayStore {
        gateway.delivery.store.store
    }

    func run() async throws {
        guard store.isShared else {
            try? await gracefulShutdown()
            return
        }
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask { await repeatedly { await renew() } }
                // A renewal may wait long for the store, so another task watches the lease. Failed work is repeated.
                group.addTask { await repeatedly { try? await store.catchUp() } }
                group.addTask { await repeatedly { await endStreamsIfLost() } }
            }
        }
    }

    private func repeatedly(_ work: () async -> Void) async {
        while !Task.isCancelled {
            await work()
            try? await Task.sleep(for: Self.interval)
        }
    }

    private func renew() async {
        let start = ContinuousClock.now
        let wasClockWrong = gateway.cluster.current.isClockWrong
        let time = now()
        let result = await Result { () async throws(StoreError) in
            try await store.sendHeartbeat(from: health.current.courier)
        }
        let end = now()
        gateway.cluster.recordRenewal(result, from: start, during: min(time, end)...max(time, end))
        let state = gateway.cluster.current
        if state.isClockWrong, !wasClockWrong {
            gateway.delivery.store.logger.warning(
                "this machine's clock differs from the database's; correct the clocks",
                metadata: ["milliseconds": "\(state.clockDifference)"]
            )
        }
        // A store that has failed may work again; only a change of it shows that.
        if case .success = result, health.current.hasLostStore { try? await store.probe() }
    }

    private func endStreamsIfLost() async {
        guard gateway.cluster.takeLeaseLoss(at: .now) else { return }
        gateway.delivery.store.logger.warning("the store cannot be reached; the streams end, so that devices move")
        gateway.endAllStreams()
    }
}

extension Result where Failure == StoreError {
    fileprivate init(_ body: () async throws(StoreError) -> Success) async {
        do throws(StoreError) {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}

extension GatewayServices {
    /// Ends all streams: their sessions have ended, or other gateways may close them at any time.
    func endAllStreams() {
        for signal in delivery.sessions.withLock(\.allSignals) { signal(.ended(.failed)) }
    }
}
