package import WaypostSchema

/// Everything the gateway must not lose, as a value: registrations, inboxes and what became of each batch.
///
/// Nothing here waits, locks or reads a clock; `MemoryStore` keeps one of these.
package struct GatewayRecords: Sendable {
    private struct Registration: Sendable {
        var agent: AgentSecret
        var topics: Set<Topic>
    }

    private struct CollapseSlot: Hashable {
        var token: DeviceToken
        var topic: Topic
        var collapseID: CollapseIdentifier
    }

    private struct Batch: Sendable {
        var accepted: Int
        var rejected: Int
        var states: [DeliveryState: Int] = [:]

        /// The agents that items of the batch went to.
        var agents: Set<AgentSecret> = []
    }

    /// What a change touched, for those who wait for it.
    package struct Changes: Sendable, Equatable {
        /// The agents whose inboxes have something new.
        package var agents: Set<AgentSecret> = []

        /// The batches of which items reached a final state.
        package var batches: Set<BatchID> = []

        /// Creates changes of nothing.
        package init() {}

        mutating func formUnion(_ other: Self) {
            agents.formUnion(other.agents)
            batches.formUnion(other.batches)
        }
    }

    private var registrations: [DeviceToken: Registration] = [:]
    private var inboxes: [AgentSecret: Inbox] = [:]
    private var collapseSlots: [CollapseSlot: Int] = [:]
    private var batches: [BatchID: Batch] = [:]
    private var lastSequence = 0

    /// Creates records of nothing.
    package init() {}

    /// Registers a device under `token` with the agent that `secret` belongs to, a new one where it is unknown.
    package mutating func register(_ token: DeviceToken, topics: [Topic], secret: AgentSecret) {
        registrations[token] = Registration(agent: secret, topics: Set(topics))
        inboxes[secret, default: Inbox()] = inboxes[secret, default: Inbox()]
    }

    /// Whether `secret` belongs to an agent.
    package func knows(_ secret: AgentSecret) -> Bool {
        inboxes[secret] != nil
    }

    /// Stores the notifications of a batch that can be stored, and remembers the batch.
    ///
    /// - Parameters:
    ///   - notifications: what passed every other check.
    ///   - batch: the batch's identifier, not used before.
    ///   - rejected: how many items of the batch did not come this far.
    ///   - isConnected: whether an agent's stream is open, which decides about what is now or never.
    ///   - now: the present moment.
    /// - Returns: for each notification in order why it was refused, or `nil`; and what changed.
    package mutating func append(
        _ notifications: [NewNotification],
        batch: BatchID,
        rejected: Int,
        isConnected: (AgentSecret) -> Bool,
        at now: Timestamp
    ) -> (refusals: [StoreRefusal?], changes: Changes) {
        var changes = Changes()
        let refusals = notifications.map { refusal(of: $0) }
        let refused = refusals.count { $0 != nil }
        batches[batch] = Batch(accepted: notifications.count - refused, rejected: rejected + refused)
        for (notification, refusal) in zip(notifications, refusals) where refusal == nil {
            accept(notification, of: batch, isConnected: isConnected, at: now, &changes)
        }
        return (refusals, changes)
    }

    private func refusal(of notification: NewNotification) -> StoreRefusal? {
        guard let registration = registrations[notification.token] else { return .unknownToken }
        return registration.topics.contains(notification.topic) ? nil : .wrongTopic
    }

    private mutating func accept(
        _ notification: NewNotification,
        of batch: BatchID,
        isConnected: (AgentSecret) -> Bool,
        at now: Timestamp,
        _ changes: inout Changes
    ) {
        guard let agent = registrations[notification.token]?.agent else { return }
        // What is not stored takes nobody's place: the earlier notification of its collapse slot stays.
        if notification.isNowOrNever && !isConnected(agent) {
            countUnstored(as: .dropped, of: batch, &changes)
        } else if let deadline = notification.deadline, deadline <= now.seconds {
            countUnstored(as: .expired, of: batch, &changes)
        } else {
            lastSequence += 1
            let stored = StoredNotification(sequence: lastSequence, batch: batch, notification: notification)
            batches[batch]?.states[.stored, default: 0] += 1
            batches[batch]?.agents.insert(agent)
            inboxes[agent]?.append(stored)
            collapse(with: stored, in: agent, &changes)
            changes.agents.insert(agent)
        }
    }

    private mutating func countUnstored(as state: DeliveryState, of batch: BatchID, _ changes: inout Changes) {
        batches[batch]?.states[state, default: 0] += 1
        changes.batches.insert(batch)
    }

    /// Lets `stored` take the place of what had its collapse identifier on the same device and topic.
    private mutating func collapse(with stored: StoredNotification, in agent: AgentSecret, _ changes: inout Changes) {
        guard let slot = Self.collapseSlot(of: stored) else { return }
        let replaced = collapseSlots.updateValue(stored.sequence, forKey: slot)
        if let replaced { settle([replaced], of: agent, as: .collapsed, &changes) }
    }

    private static func collapseSlot(of stored: StoredNotification) -> CollapseSlot? {
        stored.notification.collapseID.map {
            CollapseSlot(token: stored.notification.token, topic: stored.notification.topic, collapseID: $0)
        }
    }

    /// Returns the first `limit` notifications of an agent's inbox whose sequence is above `cursor`; what has expired
    /// leaves the inbox instead.
    package mutating func read(
        _ agent: AgentSecret,
        after cursor: Int,
        limit: Int,
        at now: Timestamp
    ) -> (page: [StoredNotification], changes: Changes) {
        let changes = expire(agent, at: now)
        return (inboxes[agent]?.read(after: cursor, limit: limit) ?? [], changes)
    }

    /// Takes `sequences` out of an agent's inbox as acknowledged.
    ///
    /// - Returns: how many were there, and what changed.
    package mutating func acknowledge(_ agent: AgentSecret, _ sequences: [Int]) -> (count: Int, changes: Changes) {
        var changes = Changes()
        let count = settle(sequences, of: agent, as: .acknowledged, &changes)
        return (count, changes)
    }

    /// Takes everything with a sequence in `range` out of an agent's inbox as acknowledged.
    package mutating func acknowledge(_ agent: AgentSecret, in range: ClosedRange<Int>) -> (Int, Changes) {
        acknowledge(agent, inboxes[agent]?.sequences(in: range) ?? [])
    }

    /// Drops what was now or never, once the stream that it was meant for is gone.
    package mutating func dropNowOrNever(of agent: AgentSecret) -> Changes {
        var changes = Changes()
        let dropped = inboxes[agent]?.sequences(where: \.notification.isNowOrNever) ?? []
        settle(dropped, of: agent, as: .dropped, &changes)
        return changes
    }

    /// Returns what has become of a batch; `nil` where it is unknown.
    package func status(of id: BatchID) -> BatchStatus? {
        batches[id].map { BatchStatus(id: id, accepted: $0.accepted, rejected: $0.rejected, states: $0.states) }
    }

    /// Takes what has expired out of the inboxes that items of a batch went to.
    package mutating func expire(inboxesOf batch: BatchID, at now: Timestamp) -> Changes {
        var changes = Changes()
        for agent in batches[batch]?.agents ?? [] { changes.formUnion(expire(agent, at: now)) }
        return changes
    }

    private mutating func expire(_ agent: AgentSecret, at now: Timestamp) -> Changes {
        var changes = Changes()
        let expired = inboxes[agent]?.expired(at: now.seconds) ?? []
        settle(expired, of: agent, as: .expired, &changes)
        return changes
    }

    /// Takes notifications out of an inbox, each into the final state `state`.
    @discardableResult
    private mutating func settle(
        _ sequences: [Int],
        of agent: AgentSecret,
        as state: DeliveryState,
        _ changes: inout Changes
    ) -> Int {
        var count = 0
        for sequence in sequences {
            guard let removed = inboxes[agent]?.remove(sequence) else { continue }
            if let slot = Self.collapseSlot(of: removed), collapseSlots[slot] == sequence {
                collapseSlots[slot] = nil
            }
            noteSettled(removed.batch, as: state)
            changes.batches.insert(removed.batch)
            count += 1
        }
        return count
    }

    private mutating func noteSettled(_ batch: BatchID, as state: DeliveryState) {
        let left = (batches[batch]?.states[.stored] ?? 0) - 1
        batches[batch]?.states[.stored] = left > 0 ? left : nil
        batches[batch]?.states[state, default: 0] += 1
    }
}
