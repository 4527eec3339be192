import GatewayStore
import PushRules
import Testing
import WaypostSchema

@testable import StoreTestSupport

/// Steps that receive notifications.
extension StoreWalk {
    func read(in namespace: Namespace) async throws {
        guard let agent = agent(in: namespace) else { return }
        let cursor = element(of: [0, 0, .min, .max, sequence(for: agent)])
        let limit = element(of: [0, 1, 3, 10, .max])
        let page = try await store.readInbox(of: agent, after: cursor, limit: limit, at: now)
        let behind = oracle.inbox(agent, at: now).filter { sequences[$0.rank] ?? .max > cursor }
        try expect(page, Array(behind.prefix(limit)))
    }

    /// Returns a sequence for an agent to name: usually its own, otherwise a foreign, removed or unknown one.
    private func sequence(for agent: AgentID) -> Int {
        let own = oracle.inbox(agent).compactMap { sequences[$0.rank] }
        if !own.isEmpty && isLucky(4, in: 5) { return element(of: own) }
        let last = sequences[nextKnownRank(below: oracle.nextRank) ?? 0] ?? 0
        let shown = Int.random(in: -1...last, using: &random)
        // A notification that is held back was never read, so only the store knows its sequence.
        return ranks[shown] == nil ? -1 : shown
    }

    func acknowledge(in namespace: Namespace) async throws {
        guard let agent = agent(in: namespace) else { return }
        let named = (0..<element(of: [0, 1, 2, 10])).map { _ in sequence(for: agent) }
        var attempts: [Int: DeliveryAttempts] = [:]
        for sequence in named where isLucky(2, in: 3) { attempts[sequence] = self.attempts() }
        if isLucky(1, in: 3) { attempts[sequence(for: agent)] = self.attempts() }
        let expected = oracle.acknowledge(agent, ranks: Set(named.compactMap { ranks[$0] }), attempts: attempts)
        try expect(try await store.acknowledge(agent, named, attempts: attempts, at: now), expected)
        acknowledged.formUnion(expected.removals.compactMap { sequences[$0.item.rank] })
    }

    func connect(in namespace: Namespace) async throws {
        guard let agent = isLucky(1, in: 20) ? AgentID(namespace: namespace, number: 99_999) : agent(in: namespace)
        else { return }
        let epoch = try await store.openSession(agent)
        guard let epoch else {
            seen.insert("session of nobody")
            try #require(!oracle.agents.values.contains(agent), comment)
            return
        }
        let isKnown = oracle.openSession(agent, as: epoch)
        try #require(isKnown, comment)
        try #require(epochs.allSatisfy { $0.agent != agent || $0.epoch < epoch }, comment)
        epochs.append((agent, epoch))
    }

    /// Closes sessions together; each may have been replaced by another, or closed before.
    func disconnect(in namespace: Namespace) async throws {
        let count = element(of: [1, 1, 2, 4])
        let chosen = (0..<count).compactMap { _ in epochs.suffix(6).randomElement(using: &random) }
        let closings = chosen.map { agent, epoch in
            let attempts = isLucky(1, in: 2) ? [sequence(for: agent): self.attempts()] : [:]
            return SessionClosing(agent: agent, epoch: epoch, attempts: attempts, ends: ends(), time: now)
        }
        let changes = try await store.closeSessions(closings)
        try #require(changes.count == closings.count, comment)
        for (closing, changes) in zip(closings, changes) {
            if let expected = oracle.closeSession(closing) {
                try expect(try #require(changes, comment), expected)
            } else {
                seen.insert("closing an old session")
                try #require(changes == nil, comment)
            }
        }
    }

    func expire(_ namespace: Namespace) async throws {
        let remembered = oracle.batches.count
        defer { if oracle.batches.count < remembered { seen.insert("forgotten") } }
        try expect(try await store.removeExpired(in: namespace, at: now), oracle.expire(namespace, at: now))
    }
}
