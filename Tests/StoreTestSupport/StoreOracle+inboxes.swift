import GatewayStore
import PushRules
import WaypostSchema

/// Predictions for notifications that leave, and for records that are forgotten.
extension StoreOracle {
    mutating func setStorage(_ mode: StorageMode, for topic: Topic, in namespace: Namespace) -> Expectation {
        let mode = topic == "waypost.messages" ? .lossless : mode
        namespaces.insert(namespace)
        storage[Place(namespace, topic)] = mode
        if mode == .apns {
            return keepNewest { $0.agent.namespace == namespace && $0.notification.topic == topic }
        }
        for (index, item) in stored.enumerated() {
            if item.agent.namespace == namespace && item.notification.topic == topic && item.slot != nil {
                stored[index].slot = item.notification.collapseID.map { .identifier($0) }
            }
        }
        return Expectation()
    }

    /// Opens a session; returns whether the agent exists.
    mutating func openSession(_ agent: AgentID, as epoch: SessionEpoch) -> Bool {
        guard agents.values.contains(agent) else { return false }
        sessions[agent] = epoch
        return true
    }

    /// Closes a session, if it is the current one.
    mutating func closeSession(_ closing: SessionClosing) -> Expectation? {
        let agent = closing.agent
        guard sessions[agent] == closing.epoch else { return nil }
        sessions[agent] = nil
        for (sequence, attempts) in closing.attempts { note(attempts, of: sequence, in: agent.namespace) }
        settle(closing.ends)
        return disconnect(agent)
    }

    private mutating func disconnect(_ agent: AgentID) -> Expectation {
        let storage = storage
        return keepNewest { item in
            item.agent == agent && storage[Place(agent.namespace, item.notification.topic)] == .apns
        }
    }

    /// Keeps the newest of each device and topic, in the slot of the topic, among the items for which `matches` is true.
    private mutating func keepNewest(where matches: (Item) -> Bool) -> Expectation {
        let all = stored.filter(matches)
        let old = all.filter { item in
            all.contains { other in
                other.rank > item.rank && other.agent == item.agent
                    && other.notification.token == item.notification.token
                    && other.notification.topic == item.notification.topic
            }
        }
        let expected = settle(as: .collapsed) { item in old.contains { $0.rank == item.rank } }
        for index in stored.indices where matches(stored[index]) { stored[index].slot = .topic }
        return expected
    }

    mutating func expire(_ namespace: Namespace, at now: Timestamp) -> Expectation {
        let expected = settle(as: .expired) { item in
            item.agent.namespace == namespace && item.deadline.map { $0 <= now.seconds } ?? false
        }
        keys = keys.filter { place, key in
            place.namespace != namespace || !key.created.isOlder(than: 86_400_000, at: now)
        }
        for (number, batch) in batches where batch.namespace == namespace {
            let isOld = (batch.settled ?? batch.created).isOlder(than: 604_800_000, at: now)
            guard isOld && batch.states.keys.allSatisfy({ $0 != .stored && $0 != .accepted }) else { continue }
            if batch.settled == nil { batches[number]?.settled = now } else { batches[number] = nil }
            touched.insert(number)
        }
        pruneLines(of: namespace, at: now)
        return expected
    }

    mutating func acknowledge(
        _ agent: AgentID,
        ranks: Set<Int>,
        attempts: [Int: DeliveryAttempts] = [:]
    ) -> Expectation {
        let leaving = stored.filter { $0.agent == agent && ranks.contains($0.rank) }
        for item in leaving {
            if let attempts = attempts[item.sequence] { note(attempts, of: item.sequence, in: agent.namespace) }
        }
        return settle(as: .acknowledged) { $0.agent == agent && ranks.contains($0.rank) }
    }

    mutating func settle(_ ends: [TransientEnd]) {
        for end in ends where transients[end.sequence] == end.namespace {
            transients[end.sequence] = nil
            move(1, of: end.batch, from: .accepted, to: end.state)
            self.end(end.sequence, as: end.state, at: end.time, attempts: end.attempts)
        }
    }

    /// Applies the effects of a crash or of an orderly shutdown.
    mutating func reopen() {
        now = nil
        sessions = [:]
        transients = [:]
        for number in batches.keys { move(.max, of: number, from: .accepted, to: .dropped) }
        for (sequence, line) in lines where line.entry.state == .accepted { end(sequence, as: .dropped) }
        for agent in Set(stored.map(\.agent)) { _ = disconnect(agent) }
    }
}
