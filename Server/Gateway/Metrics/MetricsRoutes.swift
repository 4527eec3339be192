internal import CoreMetrics
internal import GatewayStore
internal import HTTPTypes
internal import Hummingbird
internal import LocalService
internal import PrometheusMetrics
internal import Synchronization
internal import WaypostSchema

/// `/metrics`: the counters, and the current values of the gauges.
struct MetricsRoutes {
    let gateway: GatewayServices

    func add(to router: Router<ServiceContext>) {
        router.get("metrics") { _, _ in
            await updateGauges()
            let text = ByteBuffer(string: ProcessUsage.now.text + gateway.delivery.metrics.factory.text)
            return Response(
                status: .ok,
                headers: [.contentType: TextFormat.mediaType],
                body: .init(byteBuffer: text)
            )
        }
    }

    /// Updates the metrics that are not counted as events happen.
    private func updateGauges() async {
        let metrics = gateway.delivery.metrics
        let members = gateway.cluster.current.members
        // Only the leader shows the metrics that all gateways share, so that sums over gateways are right.
        metrics.recordInboxes(members.isSelfLeader ? await readInboxes() : [])
        set(.gateways, max(1, members.members.count))
        let (openCount, unacknowledgedCount) = gateway.delivery.sessions.withLock { ($0.count, $0.unacknowledgedCount) }
        let intake = gateway.limiter.usage
        let backlog = gateway.delivery.sessionBacklog
        set(.sessions, openCount)
        set(.openingSessions, backlog.openingCount)
        set(.endingSessions, backlog.endingCount)
        set(.unacknowledged, unacknowledgedCount)
        set(.intakeBatches, intake.batches)
        set(.intakeBytes, intake.bytes)
        let store = gateway.delivery.store.store
        set(.commitQueue, store.waitingItems)
        if members.isSelfLeader, let size = try? await store.size() { set(.storeSize, size) }
    }

    private func set(_ label: MetricLabel, _ value: Int) {
        Meter(label, [], factory: gateway.delivery.metrics.factory).set(value)
    }

    /// Returns the inboxes of the namespaces that the store can read; others are left out.
    private func readInboxes() async -> [GatewayMetrics.Inbox] {
        var inboxes: [GatewayMetrics.Inbox] = []
        for namespace in (try? await gateway.namespaces.list()) ?? [] {
            guard let now = try? await gateway.delivery.store.now(in: namespace.name) else { continue }
            let age = namespace.oldest.map { max(0, now.rawValue - $0.rawValue) } ?? 0
            inboxes.append(GatewayMetrics.Inbox(namespace: namespace.name, stored: namespace.stored, age: age))
        }
        return inboxes
    }
}

extension GatewayMetrics {
    /// The inboxes of one namespace.
    struct Inbox {
        var namespace: Namespace
        var stored: Int

        /// The age of the oldest notification in milliseconds; 0 if there is none.
        var age: Int
    }

    /// Shows the current inboxes, and removes the series of namespaces that no longer exist.
    func recordInboxes(_ inboxes: [Inbox]) {
        self.inboxes.update(inboxes, factory)
    }
}

/// The gauges of namespaces, which are created and removed with them.
final class InboxGauges: Sendable {
    private struct Gauges {
        var stored: Meter
        var age: Meter
    }

    private let namespaceLabels = BoundedLabels()
    private let gauges = Mutex<[String: Gauges]>([:])

    func update(_ inboxes: [GatewayMetrics.Inbox], _ factory: PrometheusMetrics) {
        gauges.withLock { gauges in
            namespaceLabels.removeAll(except: Set(inboxes.map(\.namespace.rawValue)))
            let byLabel = Dictionary(grouping: inboxes) { namespaceLabels.label($0.namespace.rawValue) }
            for (label, obsoleteGauges) in gauges where byLabel[label] == nil {
                obsoleteGauges.stored.destroy()
                obsoleteGauges.age.destroy()
                gauges[label] = nil
            }
            for (label, inboxes) in byLabel {
                let labels = [("namespace", label)]
                let series =
                    gauges[label]
                    ?? Gauges(
                        stored: Meter(.inboxNotifications, labels, factory: factory),
                        age: Meter(.inboxAge, labels, factory: factory)
                    )
                gauges[label] = series
                series.stored.set(inboxes.reduce(0) { $0 + $1.stored })
                series.age.set(Double(inboxes.map(\.age).max() ?? 0) / 1_000)
            }
        }
    }
}
