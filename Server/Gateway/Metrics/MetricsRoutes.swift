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
            await measure()
            let text = ByteBuffer(string: ProcessUsage.now.text + gateway.delivery.metrics.factory.text)
            return Response(
                status: .ok,
                headers: [.contentType: TextFormat.mediaType],
                body: .init(byteBuffer: text)
            )
        }
    }

    /// Updates the metrics that are not counted as events happen.
    private func measure() async {
        let metrics = gateway.delivery.metrics
        let members = gateway.cluster.current.members
        // Only the leader shows the metrics that all gateways share, so that sums over gateways are right.
        metrics.recordInboxes(members.leads ? await inboxes() : [])
        set(.gateways, max(1, members.members.count))
        let (open, unacknowledged) = gateway.delivery.sessions.withLock { ($0.count, $0.sentCount) }
        let intake = gateway.limiter.usage
        set(.sessions, open)
        set(.unacknowledged, unacknowledged)
        set(.intakeBatches, intake.batches)
        set(.intakeBytes, intake.bytes)
        let store = gateway.delivery.store.store
        set(.commitQueue, store.waitingItems)
        if members.leads, let size = try? await store.size() { set(.storeSize, size) }
    }

    private func set(_ label: MetricLabel, _ value: Int) {
        Meter(label, [], factory: gateway.delivery.metrics.factory).set(value)
    }

    /// Returns the inboxes of the namespaces that the store can read; others are left out.
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

    private let limit = LabelLimit()
    private let gauges = Mutex<[String: Gauges]>([:])

    func update(_ inboxes: [GatewayMetrics.Inbox], _ factory: PrometheusMetrics) {
        gauges.withLock { gauges in
            limit.removeAll(except: Set(inboxes.map(\.namespace.rawValue)))
            let byLabel = Dictionary(grouping: inboxes) { limit.label($0.namespace.rawValue) }
            for (label, obsolete) in gauges where byLabel[label] == nil {
                obsolete.stored.destroy()
                obsolete.age.destroy()
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

/// The values of one label that have a series of their own, limited because each costs memory here and in the scraper.
final class LabelLimit: Sendable {
    /// The label of all values beyond the limit.
    static let other = "other"

    private let limit: Int
    private let values = Mutex<Set<String>>([])

    init(_ limit: Int = 200) {
        self.limit = limit
    }

    /// Returns the label of a value: the value itself if it has a series or there is room for one more, otherwise
    /// `other`.
    func label(_ value: String) -> String {
        values.withLock { values in
            guard !values.contains(value) else { return value }
            guard values.count < limit else { return Self.other }
            values.insert(value)
            return value
        }
    }

    /// Removes all values except these, to make room.
    func removeAll(except values: Set<String>) {
        self.values.withLock { $0.formIntersection(values) }
    }
}
