internal import GatewayStore
internal import Synchronization
internal import WaypostSchema

extension Mailroom {
    /// What a stream sends next.
    struct Page: Sendable {
        /// The notifications, in order.
        var notifications: [StoredNotification]

        /// Whether there may be more.
        var isMoreLikely: Bool
    }

    /// Opens an agent's stream behind sequence `cursor`, in the place of one that is open; returns its number.
    func openStream(
        _ agent: AgentID,
        after cursor: Int,
        signal: @escaping DeviceSessions.SignalTo
    ) -> Int {
        let (number, predecessor) = sessions.withLock { $0.open(agent, after: cursor, signal: signal) }
        predecessor?(.ended)
        return number
    }

    /// Closes an agent's stream, where it is the agent's still; what was now or never is dropped with it.
    ///
    /// The store is told of it in a while.
    func closeStream(_ agent: AgentID, number: Int) {
        guard let dropped = sessions.withLock({ $0.close(agent, number: number) }) else { return }
        followUps.add(.settle(dropped))
        followUps.add(.disconnect(agent))
    }

    /// Returns what a stream sends next, `limit` notifications of the inbox at most, noted as sent.
    func nextPage(_ agent: AgentID, stream number: Int, limit: Int) async throws(GatewayFault) -> Page {
        guard let position = sessions.withLock({ $0.beginReading(agent, number: number) }) else {
            return Page(notifications: [], isMoreLikely: false)
        }
        let now = try await now(in: agent.namespace)
        let page = try await ask { () async throws(StoreFault) in
            try await store.read(agent, after: position.sequence, limit: limit, at: now)
        }
        let notifications = sessions.withLock {
            $0.send(page, readBehind: position, to: agent, number: number)
        }
        return Page(notifications: notifications, isMoreLikely: page.count == limit)
    }

    /// Takes what an agent acknowledges out of its inbox; returns how many notifications that were.
    func acknowledge(_ agent: AgentID, _ acknowledgement: Acknowledgement) async throws(GatewayFault) -> Int {
        let sequences =
            switch acknowledgement {
            case .sequences(let sequences): sequences
            case .upTo(let sequence): sessions.withLock { $0.covered(agent, upTo: sequence) }
            }
        guard !sequences.isEmpty else { return 0 }
        let changes = try await ask { () async throws(StoreFault) in try await store.acknowledge(agent, sequences) }
        let landed = sessions.withLock { $0.acknowledge(agent, sequences) }
        announce(changes)
        await followUp(.settle(landed))
        return changes.departures.count + landed.reduce(0) { $0 + $1.count }
    }
}
