package import Delivery
package import WaypostSchema

extension SQLiteStore {
    /// Returns a page of an agent's inbox.
    package func read(
        _ agent: AgentID,
        after cursor: Int,
        limit: Int,
        at now: Timestamp
    ) async throws(StoreFault) -> [StoredNotification] {
        try await read { database in
            try StoredNotification.fetchPage(database, of: agent, after: cursor, limit: limit, at: now)
        }
    }

    /// Takes `sequences` out of an agent's inbox as acknowledged.
    package func acknowledge(
        _ agent: AgentID,
        _ sequences: [Int],
        attempts: [Int: DeliveryAttempts],
        at now: Timestamp
    ) async throws(StoreFault) -> StoreChanges {
        guard !sequences.isEmpty else { return StoreChanges() }
        return try await perform(weight: sequences.count) {
            try $0.acknowledge(agent, sequences, attempts: attempts, at: now)
        }
    }

    /// Counts notifications that were now or never in their final states.
    package func settle(_ ends: [FlightEnd]) async throws(StoreFault) {
        guard !ends.isEmpty else { return }
        try await perform { try $0.settle(ends) }
    }

    /// Notes that an agent's stream is gone.
    package func disconnect(_ agent: AgentID, at now: Timestamp) async throws(StoreFault) -> StoreChanges {
        try await perform { try $0.disconnect(agent, at: now) }
    }

    /// Takes what has expired out of a namespace's inboxes, and forgets old keys, batches and lines of the
    /// log.
    ///
    /// A reader looks first, so that a sweep with nothing to do hinders nobody, and each transaction takes a bounded part.
    package func expire(_ namespace: Namespace, at now: Timestamp) async throws(StoreFault) -> StoreChanges {
        let logRetention = logRetention
        let isDue = try await read(in: namespace) {
            try Ledger.isAnythingDue($0, in: $1, at: now, logRetention: logRetention)
        }
        guard isDue == true else { return StoreChanges() }
        var sweep = Ledger.Sweep(isPartial: true)
        while sweep.isPartial {
            do {
                let part = try await perform { try $0.expire(namespace, at: now) }
                sweep.changes.append(part.changes)
                sweep.isPartial = part.isPartial
            } catch {
                // What was done is done and is told; the rest is the next sweep's.
                guard sweep.changes.departures.isEmpty else { return sweep.changes }
                throw error
            }
        }
        return sweep.changes
    }
}
