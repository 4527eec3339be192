import GatewayStore
import Testing
import WaypostSchema

@testable import StoreTestSupport

/// Steps that send notifications.
extension StoreWalk {
    func append(to namespace: Namespace) async throws {
        let batch = batch(to: namespace)
        let got = try await store.append(batch, at: now)
        let number = got.appended?.number ?? BatchNumber(rawValue: 0)
        let logged = got.appended?.logSequences
        switch oracle.append(batch, as: number, logged: logged, at: now) {
        case .duplicate(let known):
            seen.insert("known")
            try #require(got == .duplicate(known), comment)
        case .refused(let refusals):
            seen.insert("refused whole")
            try #require(got == .refused(refusals), comment)
        case .appended(let refusals, let items, let expected):
            let appended = try #require(got.appended, comment)
            try #require(appended.number.rawValue > lastBatch.rawValue, comment)
            try #require(appended.refusals == refusals, comment)
            try #require(logged?.count ?? 0 == batch.notifications.count + batch.rejections.count, comment)
            try #require(logged?.lowerBound ?? .max > lastSequence, comment)
            lastSequence = logged?.upperBound ?? lastSequence
            lastBatch = appended.number
            try expect(appended.changes, expected)
            try expect(appended.deliveries, items)
        }
    }

    private func expect(_ got: [StreamDelivery], _ items: [StoreOracle.Item]) throws {
        try #require(got.map(\.agent) == items.map(\.agent), comment)
        try expect(got.map(\.notification), items)
        deliveries += got.filter { $0.notification.notification.isTransient }
    }

    private func batch(to namespace: Namespace) -> NewBatch {
        let key = IdempotencyKey(
            key: "key \(element(of: [1, 2, 3]))",
            fingerprint: [UInt8(truncatingIfNeeded: count)]
        )
        var batch = NewBatch(
            id: BatchID(rawValue: "batch \(count)"),
            namespace: namespace,
            notifications: (0..<element(of: [0, 1, 1, 2, 3, 5])).map { notification("\(count)-\($0)", in: namespace) },
            rejections: (0..<element(of: [0, 0, 0, 0, 1, 2])).map { _ in rejection(in: namespace) },
            isAtomic: isLucky(1, in: 4),
            key: isLucky(1, in: 5) ? key : nil
        )
        if isLucky(1, in: 2) { batch.encodeAnswer = { $0.map { $0 == nil ? 1 : 0 } + key.fingerprint } }
        return batch
    }

    private func rejection(in namespace: Namespace) -> RejectedItem {
        var item = RejectedItem.example
        if isLucky(1, in: 2) { item.subject.token = token(in: namespace) }
        if isLucky(1, in: 2) { item.subject = LogSubject(notification("rejected \(count)", in: namespace)) }
        return item
    }

    private func notification(_ id: String, in namespace: Namespace) -> NewNotification {
        let second = now.seconds
        let expirations = [
            nil, nil, nil, nil, 0, 0, 1, second - 1, second, second + 1, second + 5, second + 60, second + 100_000,
            .max,
        ]
        var notification = NewNotification.example(
            NotificationID(rawValue: id),
            to: token(in: namespace),
            for: isLucky(1, in: 20) ? "photos" : element(of: Self.topics + ["clowns", "clowns"]),
            priority: element(of: [10, 10, 5, 1]),
            expiration: element(of: expirations),
            collapseID: element(of: [nil, nil, "x", "y"])
        )
        if isLucky(1, in: 3) { notification.traceparent = element(of: Self.traces) }
        return notification
    }

    func settle() async throws {
        let ends = ends()
        try await store.recordOutcomes(ends)
        oracle.settle(ends)
    }

    /// Returns the ends of some transient notifications, and occasionally one of a notification that has ended.
    func ends() -> [TransientEnd] {
        var ends: [TransientEnd] = []
        for index in deliveries.indices.reversed() where isLucky(1, in: 2) {
            let delivery = isLucky(9, in: 10) ? deliveries.remove(at: index) : deliveries[index]
            ends.append(
                TransientEnd(
                    namespace: delivery.agent.namespace,
                    sequence: delivery.notification.sequence,
                    batch: delivery.notification.batch,
                    state: element(of: [.acknowledged, .dropped, .unregistered]),
                    at: now,
                    attempts: isLucky(1, in: 2) ? attempts() : nil
                )
            )
        }
        if isLucky(1, in: 10) { ends.append(.unknown) }
        return ends
    }
}
