import Delivery
import WaypostSchema

/// What waits for the agents of a namespace, and how it leaves.
extension NamespaceRecords {
    func read(_ agent: Int, after cursor: Int, limit: Int, at now: Timestamp) -> [StoredNotification] {
        let page = inboxes[agent]?.page(after: cursor, limit: limit) { isDeliverable($0, at: now) } ?? []
        return page.map { stored in
            var stored = stored
            stored.wasSent = log.line(stored.sequence)?.entry.attempts != nil
            return stored
        }
    }

    private func isDeliverable(_ item: Inbox.Item, at now: Timestamp) -> Bool {
        let isConstrained = devices[item.token]?.isPowerConstrained ?? false
        let isHeld = PowerRule.holds(priority: item.stored.notification.priority, isConstrained: isConstrained)
        return !isHeld && (item.deadline ?? .max) > now.seconds
    }

    mutating func acknowledge(
        _ agent: Int,
        _ sequences: [Int],
        attempts: [Int: DeliveryAttempts],
        at now: Timestamp
    ) -> StoreChanges {
        let acknowledged = sequences.compactMap { inboxes[agent]?.remove($0) }
        return leave(agent, acknowledged, by: .acknowledge, at: now, attempts: attempts)
    }

    /// Takes what has expired out of every inbox, then forgets old keys and batches, and what the log has kept for long
    /// enough.
    mutating func expire(at now: Timestamp) -> StoreChanges {
        var changes = StoreChanges()
        if earliestDeadline <= now.seconds {
            for agent in inboxes.keys.sorted() {
                let expired = inboxes[agent]?.removeExpired(at: now.seconds) ?? []
                changes.append(leave(agent, expired, by: .expire, at: now))
            }
            earliestDeadline = inboxes.values.lazy.map(\.earliestDeadline).min() ?? .max
        }
        batches.sweep(at: now)
        log.forget(endedBy: Timestamp(milliseconds: now.milliseconds(before: log.retention)))
        return changes
    }

    /// Lets an agent that cannot be reached any more keep the newest of each device and topic whose app wants that.
    mutating func disconnect(_ agent: Int, at now: Timestamp) -> StoreChanges {
        let topics = Set(storage.filter { $0.value == .apns }.keys)
        let superseded = topics.isEmpty ? [] : inboxes[agent]?.keepNewest(of: topics) ?? []
        return leave(agent, superseded, by: .collapse, at: now)
    }

    /// Chooses how a topic's notifications are kept, those included that are there.
    mutating func setStorage(_ mode: StorageMode, for topic: Topic, at now: Timestamp) -> StoreChanges {
        let policy = StoragePolicy(mode, for: topic)
        storage[topic] = policy.mode
        var changes = StoreChanges()
        for agent in inboxes.keys.sorted() {
            switch policy.mode {
            case .apns:
                let superseded = inboxes[agent]?.keepNewest(of: [topic]) ?? []
                changes.append(leave(agent, superseded, by: .collapse, at: now))
            case .lossless:
                inboxes[agent]?.giveSlots(by: policy, of: topic)
            }
        }
        return changes
    }

    /// Counts what was taken out of an inbox in the state that `event` leads to, notes it in the log, and says so.
    mutating func leave(
        _ agent: Int,
        _ items: [Inbox.Item],
        by event: DeliveryEvent,
        at now: Timestamp,
        attempts: [Int: DeliveryAttempts] = [:]
    ) -> StoreChanges {
        var changes = StoreChanges()
        guard let state = DeliveryLife(isNowOrNever: false, state: .stored).state(after: event) else { return changes }
        changes.departures = items.map { item in
            batches.move(1, of: item.stored.batch, from: .stored, to: state)
            log.end(item.stored.sequence, as: state, at: now, attempts[item.stored.sequence])
            return StoreChanges.Departure(
                agent: id(agent),
                sequence: item.stored.sequence,
                batch: item.stored.batch,
                state: state
            )
        }
        return changes
    }
}
