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
    /// The time between two heartbeats, and between two runs of each other task.
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
                group.addTask { await repeatUntilCanceled { await sendHeartbeat() } }
                // A heartbeat may wait long for the store, so another task watches the lease.
                group.addTask { await repeatUntilCanceled { try? await store.catchUp() } }
                group.addTask { await repeatUntilCanceled { await endStreamsIfLeaseIsLost() } }
            }
        }
    }

    private func repeatUntilCanceled(_ work: () async -> Void) async {
        while !Task.isCancelled {
            await work()
            try? await Task.sleep(for: Self.interval)
        }
    }

    private func sendHeartbeat() async {
        let start = ContinuousClock.now
        let wasClockWrong = gateway.cluster.current.isClockWrong
        let startTime = now()
        let result = await Result { () async throws(StoreError) in
            try await store.sendHeartbeat(from: health.current.urls[.courier])
        }
        let endTime = now()
        let times = min(startTime, endTime)...max(startTime, endTime)
        gateway.cluster.recordHeartbeat(result, from: start, during: times)
        let state = gateway.cluster.current
        if state.isClockWrong, !wasClockWrong {
            gateway.delivery.store.logger.warning(
                "this machine's clock differs from the database's; correct the clocks",
                metadata: ["milliseconds": "\(state.clockDifference)"]
            )
        }
        // The store answers again, but only a write shows whether it also works again.
        if case .success = result, health.current.hasLostStore { try? await store.probe() }
    }

    private func endStreamsIfLeaseIsLost() async {
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
