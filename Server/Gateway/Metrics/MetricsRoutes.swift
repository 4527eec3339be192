internal import CoreMetrics
internal import HTTPTypes
internal import Hummingbird
internal import PrometheusMetrics
internal import Synchronization
internal import WaypostSchema

/// `/metrics`: what was counted, and what is at this moment.
struct MetricsRoutes {
    let gateway: GatewayServices

    /// Returns how many items wait to be written.
    let waitingItems: @Sendable () -> Int

    func add(to router: Router<BasicRequestContext>) {
        router.get("metrics") { _, _ in
            await measure()
            let text = ByteBuffer(string: gateway.delivery.metrics.factory.text)
            return Response(
                status: .ok,
                headers: [.contentType: TextFormat.mediaType],
                body: .init(byteBuffer: text)
            )
        }
    }

    /// Brings what is not counted as it happens up to date.
    private func measure() async {
        let metrics = gateway.delivery.metrics
        metrics.note(await inboxes())
        let (open, unacknowledged) = gateway.delivery.sessions.withLock { ($0.count, $0.sentCount) }
        let intake = gateway.limiter.inUse
        set(.sessions, open)
        set(.unacknowledged, unacknowledged)
        set(.intakeBatches, intake.batches)
        set(.intakeBytes, intake.bytes)
        set(.commitQueue, waitingItems())
    }

    private func set(_ label: MetricLabel, _ value: Int) {
        Meter(label, [], gateway.delivery.metrics.factory).set(value)
    }

    /// What the store cannot tell is not shown; the rest is.
    private func inboxes() async -> [GatewayMetrics.Inbox] {
        var inboxes: [GatewayMetrics.Inbox] = []
        for namespace in (try? await gateway.namespaces.list()) ?? [] {
            guard let now = try? await gateway.delivery.store.now(in: namespace.name) else { continue }
            let age = namespace.oldest.map { max(0, now.rawValue - $0.rawValue) } ?? 0
            inboxes.append(GatewayMetrics.Inbox(namespace: namespace.name, stored: namespace.stored, age: age))
        }
        return inboxes
    }
}
