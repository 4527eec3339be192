internal import CoreMetrics
internal import PrometheusMetrics
internal import Synchronization
internal import WaypostSchema

extension GatewayMetrics {
    /// What is in one namespace's inboxes.
    struct Inbox {
        var namespace: Namespace
        var stored: Int

        /// How long ago the oldest notification was accepted, in milliseconds; 0 where there is none.
        var age: Int
    }

    /// Shows what is in the inboxes now, of namespaces that are gone nothing any more.
    func note(_ inboxes: [Inbox]) {
        self.inboxes.show(inboxes, factory)
    }
}

/// The gauges of namespaces, which come and go with these.
final class InboxGauges: Sendable {
    private struct Gauges {
        var stored: Meter
        var age: Meter
    }

    private let limit = LabelLimit()
    private let gauges = Mutex<[String: Gauges]>([:])

    func show(_ inboxes: [GatewayMetrics.Inbox], _ factory: PrometheusMetrics) {
        gauges.withLock { gauges in
            limit.forget(allBut: Set(inboxes.map(\.namespace.rawValue)))
            let byLabel = Dictionary(grouping: inboxes) { limit.label($0.namespace.rawValue) }
            for (label, gone) in gauges where byLabel[label] == nil {
                gone.stored.destroy()
                gone.age.destroy()
                gauges[label] = nil
            }
            for (label, inboxes) in byLabel {
                let labels = [("namespace", label)]
                let shown =
                    gauges[label]
                    ?? Gauges(
                        stored: Meter(.inboxNotifications, labels, factory),
                        age: Meter(.inboxAge, labels, factory)
                    )
                gauges[label] = shown
                shown.stored.set(inboxes.reduce(0) { $0 + $1.stored })
                shown.age.set(Double(inboxes.map(\.age).max() ?? 0) / 1_000)
            }
        }
    }
}
