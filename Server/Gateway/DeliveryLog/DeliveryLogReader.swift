internal import GatewayStore
internal import PushRules
internal import Synchronization
internal import WaypostSchema

/// Reads the delivery log, and adds the attempts of the open streams to deliver unacknowledged notifications.
struct DeliveryLogReader: Sendable {
    let delivery: DeliveryService

    private var store: StoreAccess {
        delivery.store
    }

    /// The maximum number of notifications that are read to fill a page of matching ones.
    ///
    /// The store does not know which notifications are sent and unacknowledged, so each one must be read to find out.
    private static let maximumReads = 20_000

    /// The number of notifications per read, if the first read did not fill the page.
    private static let readSize = 1_000

    /// Returns the part of the log that a query selects, after removing expired notifications from their inboxes.
    func page(_ query: NotificationQuery) async throws(GatewayError) -> NotificationPage {
        try await delivery.expire(query.filter.namespace)
        let filter = try await resolvedFilter(of: query)
        guard query.since != nil || query.afterSequence != nil else {
            return NotificationPage(notifications: try await latest(filter, limit: query.limit))
        }
        return try await page(filter, after: query.afterSequence ?? 0, limit: query.limit)
    }

    /// Returns the filter of a query, with the time of `since`.
    func resolvedFilter(of query: NotificationQuery) async throws(GatewayError) -> LogFilter {
        let now = try await store.now(in: query.filter.namespace)
        var filter = query.filter
        filter.since = query.since?.resolved(now: now)
        return filter
    }

    /// Returns at most `limit` notifications that match a filter, the first ones after sequence `cursor`.
    func page(
        _ filter: LogFilter,
        after cursor: Int,
        limit: Int
    ) async throws(GatewayError) -> NotificationPage {
        var page = NotificationPage(notifications: [])
        var (cursor, readCount) = (cursor, 0)
        while true {
            // Reads one more than the page has, to find out whether there is another page.
            let readSize = readCount == 0 ? limit + 1 : Self.readSize
            let records = try await records(filter, filter.storeQuery(from: .after(cursor), limit: readSize))
            for record in records where filter.includes(record.state) {
                guard page.notifications.count < limit else {
                    page.next = page.notifications.last?.sequence
                    return page
                }
                page.notifications.append(record)
            }
            guard records.count == readSize, let last = records.last else { return page }
            (cursor, readCount) = (last.sequence, readCount + readSize)
            guard readCount < Self.maximumReads else {
                page.next = cursor
                return page
            }
        }
    }

    /// Returns the last notifications that match a filter, at most `limit`.
    private func latest(_ filter: LogFilter, limit: Int) async throws(GatewayError) -> [NotificationRecord] {
        var readSize = limit
        while true {
            let records = try await records(filter, filter.storeQuery(from: .latest, limit: readSize))
            let matches = records.filter { filter.includes($0.state) }
            if matches.count >= limit || records.count < readSize || readSize >= Self.maximumReads {
                return matches.suffix(limit)
            }
            readSize = min(4 * readSize, Self.maximumReads)
        }
    }

    private func records(
        _ filter: LogFilter,
        _ query: LogQuery
    ) async throws(GatewayError) -> [NotificationRecord] {
        let entries = try await store.call { try await $0.logEntries(matching: query, in: filter.namespace) }
        return Self.addingFindings(to: records(entries))
    }

    /// Returns the log records of the notifications that have `sequences` and match a filter.
    func notifications(
        _ filter: LogFilter,
        at sequences: [Int]
    ) async throws(GatewayError) -> [NotificationRecord] {
        let entries = try await store.call { try await $0.logEntries(at: sequences, in: filter.namespace) }
        return Self.addingFindings(to: records(entries)).filter(filter.includes)
    }

    /// Returns the log record of the newest notification with `id`, after removing expired notifications from their
    /// inboxes.
    ///
    /// - Throws: `GatewayError.unknownNotification` if there is none.
    func notification(_ id: NotificationID, in namespace: Namespace) async throws(GatewayError) -> NotificationRecord {
        try await delivery.expire(namespace)
        guard let record = try await newest(id, in: namespace) else { throw .unknownNotification(id) }
        guard NewestNotification.hasWaited(record), let token = record.token else { return record }
        // Some of the next ones may have been rejected.
        let next = LogQuery(token: token, topic: record.topic, start: .after(record.sequence), limit: 20)
        let entries = try await store.call { try await $0.logEntries(matching: next, in: namespace) }
        return Self.addingFindings(to: [record] + records(entries)).first ?? record
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
        var entry = try await store.call { try await $0.logEntry(of: id, in: namespace) }
        if entry == nil, let unique = UniqueID(id.rawValue) {
            entry = try await store.call { try await $0.logEntries(at: [unique.sequence], in: namespace).first }
        }
        return entry.flatMap { records([$0]).first }
    }

    private func records(_ entries: [LogEntry]) -> [NotificationRecord] {
        delivery.sessions.withLock { sessions in
            let attempts = sessions.attempts(of: entries.lazy.map(\.sequence))
            return entries.map { entry in
                var entry = entry
                if let past = sessions.pastAttempts(of: entry.sequence) { entry.mergeAttempts(ofClosedStreams: past) }
                return NotificationRecord(entry, openStreamAttempts: attempts[entry.sequence])
            }
        }
    }

    /// Returns records with the findings that follow from the other ones.
    private static func addingFindings(to records: [NotificationRecord]) -> [NotificationRecord] {
        let replaced = NewestNotification.replaced(in: records)
        guard !replaced.isEmpty else { return records }
        return records.map { record in
            guard replaced.contains(record.sequence), let topic = record.topic else { return record }
            var record = record
            record.findings = (record.findings ?? []) + [NewestNotification.finding(about: topic)]
            return record
        }
    }
}
