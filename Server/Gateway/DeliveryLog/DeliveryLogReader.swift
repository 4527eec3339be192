internal import GatewayStore
internal import Synchronization
internal import WaypostSchema

/// Reads the delivery log, and adds what the open streams know of unacknowledged notifications.
struct DeliveryLogReader: Sendable {
    let delivery: DeliveryService

    private var store: StoreAccess {
        delivery.store
    }

    /// The maximum number of notifications that are read to fill a page of matching ones.
    ///
    /// The store does not know which notifications are sent and unacknowledged, so each one must be read to find out.
    private static let maximumReads = 20_000

    /// The number of notifications per read after the first read did not fill the page.
    private static let look = 1_000

    /// Returns the part of the log that a query selects, after removing expired notifications from their inboxes.
    func page(_ query: NotificationQuery) async throws(GatewayError) -> NotificationPage {
        try await delivery.expire(query.selection.namespace)
        let selection = try await selection(query)
        guard query.since != nil || query.after != nil else {
            return NotificationPage(notifications: try await latest(selection, limit: query.limit))
        }
        return try await page(selection, after: query.after ?? 0, limit: query.limit)
    }

    /// Returns the selection of a query.
    func selection(_ query: NotificationQuery) async throws(GatewayError) -> LogSelection {
        let now = try await store.now(in: query.selection.namespace)
        var selection = query.selection
        selection.since = query.since?.moment(now)
        return selection
    }

    /// Returns at most `limit` notifications of a selection, the first ones after sequence `cursor`.
    func page(
        _ selection: LogSelection,
        after cursor: Int,
        limit: Int
    ) async throws(GatewayError) -> NotificationPage {
        var page = NotificationPage(notifications: [])
        var (cursor, looked) = (cursor, 0)
        while true {
            // Reads one more than the page has, to find out whether there is another page.
            let look = looked == 0 ? limit + 1 : Self.look
            let records = try await records(selection, selection.query(.after(cursor), limit: look))
            for record in records where selection.includes(record.state) {
                guard page.notifications.count < limit else {
                    page.next = page.notifications.last?.sequence
                    return page
                }
                page.notifications.append(record)
            }
            guard records.count == look, let last = records.last else { return page }
            (cursor, looked) = (last.sequence, looked + look)
            guard looked < Self.maximumReads else {
                page.next = cursor
                return page
            }
        }
    }

    /// Returns the last notifications of a selection, at most `limit`.
    private func latest(_ selection: LogSelection, limit: Int) async throws(GatewayError) -> [NotificationRecord] {
        var look = limit
        while true {
            let records = try await records(selection, selection.query(.latest, limit: look))
            let found = records.filter { selection.includes($0.state) }
            if found.count >= limit || records.count < look || look >= Self.maximumReads { return found.suffix(limit) }
            look = min(4 * look, Self.maximumReads)
        }
    }

    private func records(
        _ selection: LogSelection,
        _ query: LogQuery
    ) async throws(GatewayError) -> [NotificationRecord] {
        records(try await store.call { try await $0.log(query, in: selection.namespace) })
    }

    /// Returns the log records of the notifications of a selection that have `sequences`.
    func notifications(
        _ selection: LogSelection,
        at sequences: [Int]
    ) async throws(GatewayError) -> [NotificationRecord] {
        let entries = try await store.call { try await $0.log(at: sequences, in: selection.namespace) }
        return records(entries).filter(selection.includes)
    }

    /// Returns the log record of the newest notification with `id`, after removing expired notifications from their
    /// inboxes.
    ///
    /// - Throws: `GatewayError.unknownNotification` if there is none.
    func notification(_ id: NotificationID, in namespace: Namespace) async throws(GatewayError) -> NotificationRecord {
        try await delivery.expire(namespace)
        guard let record = try await newest(id, in: namespace) else { throw .unknownNotification(id) }
        return record
    }

    /// Waits until a notification has reached a goal, or until the task is canceled.
    ///
    /// A notification that is not known yet may still be sent.
    func wait(
        for goal: NotificationWait.Goal,
        of id: NotificationID,
        in namespace: Namespace
    ) async throws(GatewayError) {
        let follower = delivery.followers.follow(namespace, capacity: 1)
        try await delivery.expire(namespace)
        if try await hasMet(goal, id, namespace: namespace, follower: follower) { return }
        for await _ in follower.changes.signals {
            if try await hasMet(goal, id, namespace: namespace, follower: follower) { return }
        }
    }

    private func hasMet(
        _ goal: NotificationWait.Goal,
        _ id: NotificationID,
        namespace: Namespace,
        follower: LogFollower
    ) async throws(GatewayError) -> Bool {
        _ = follower.changes.take()
        guard let record = try await newest(id, in: namespace) else { return false }
        // From here on, changes of other notifications do not matter.
        follower.changes.limit(to: record.sequence..<record.sequence + 1)
        return goal.isMet(by: record)
    }

    private func newest(_ id: NotificationID, in namespace: Namespace) async throws(GatewayError) -> NotificationRecord?
    {
        var entry = try await store.call { try await $0.log(of: id, in: namespace) }
        if entry == nil, let unique = UniqueID(id.rawValue) {
            entry = try await store.call { try await $0.log(at: [unique.sequence], in: namespace).first }
        }
        return entry.flatMap { records([$0]).first }
    }

    private func records(_ entries: [LogEntry]) -> [NotificationRecord] {
        delivery.sessions.withLock { sessions in
            let attempts = sessions.attempts(of: entries.lazy.map(\.sequence))
            return entries.map { entry in
                var entry = entry
                if let past = sessions.pastAttempts(of: entry.sequence) { entry.noteUnlessNoted(past) }
                return NotificationRecord(entry, unacknowledged: attempts[entry.sequence])
            }
        }
    }
}
