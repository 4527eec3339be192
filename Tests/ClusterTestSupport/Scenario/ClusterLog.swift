import GatewayClient
import WaypostSchema
import WaypostTestSupport

/// The part of the delivery log that belongs to a trial.
struct ClusterLog: Sendable {
    /// The entries of each notification; more than one if it was accepted twice.
    private var entries: [NotificationID: [NotificationRecord]] = [:]

    /// The greatest sequence.
    private(set) var last: Int

    /// Reads the log after a sequence, through a gateway.
    static func read(after start: Int, _ client: GatewayClient) async throws -> ClusterLog {
        var log = ClusterLog(last: start)
        var next: Int? = start
        while let after = next {
            var filter = NotificationFilter()
            filter.afterSequence = after
            filter.limit = 1_000
            let page = try await client.notifications(filter)
            for record in page.notifications {
                if let id = record.id { log.entries[id, default: []].append(record) }
                log.last = max(log.last, record.sequence)
            }
            next = page.next
        }
        return log
    }

    private init(last: Int) {
        self.last = last
    }

    /// Whether it has all these items, and each of its entries has ended.
    func isComplete(_ items: [ClusterBatch.AnsweredItem]) -> Bool {
        items.allSatisfy { entries[$0.id] != nil }
            && entries.values.allSatisfy { $0.allSatisfy(\.state.isFinal) }
    }

    /// The final state of a notification, if there is one.
    func end(of id: NotificationID) -> DeliveryState? {
        entries[id]?.last.map(\.state)
    }

    /// The sequence of a notification.
    func sequence(of id: NotificationID) -> Int {
        entries[id]?.last?.sequence ?? 0
    }

    /// Returns the violations: each item has one entry, which has ended once, in a permitted state; and nothing else
    /// was accepted.
    func findings(_ items: [ClusterBatch.AnsweredItem]) -> [String] {
        let known = Set(items.map(\.id))
        let unknown = entries.keys.filter { !known.contains($0) }
            .map { "\($0) is in the log, but in no answered batch" }
        return unknown + items.compactMap(finding)
    }

    private func finding(_ item: ClusterBatch.AnsweredItem) -> String? {
        let name = item.item.name
        let found = entries[item.id] ?? []
        guard let entry = found.first else { return "\(name) is not in the log" }
        guard found.count == 1 else { return "\(name) is in the log \(found.count) times: \(found.map(\.sequence))" }
        let ends = entry.history.map(\.state).filter(\.isFinal)
        guard ends.count == 1, ends == [entry.state], item.item.kind.ends.contains(entry.state) else {
            return "\(name), \(item.item.kind), has the history \(entry.history.map(\.state.rawValue))"
        }
        return lateSend(of: item, entry)
    }

    /// Returns the violation if an item was sent after its expiration, as the gateway recorded it.
    ///
    /// The log has the time of the first time it was sent, which is before the device gets it.
    private func lateSend(of item: ClusterBatch.AnsweredItem, _ entry: NotificationRecord) -> String? {
        guard case .expiring(let time) = item.item.kind, let sent = entry.history.first(where: { $0.state == .sent }),
            sent.at.seconds >= time
        else { return nil }
        return "\(item.item.name) expired at \(time) s, and was first sent at \(sent.at.rawValue) ms"
    }
}
