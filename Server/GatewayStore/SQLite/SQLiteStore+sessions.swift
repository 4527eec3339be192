internal import GRDB
package import PushRules
internal import Synchronization
package import WaypostSchema

/// Sessions, pending batches and faults: they end with the process, as no other process uses the store.
extension SQLiteStore {
    /// Never yields: nobody else changes the store, and appends deliver payloads.
    package var events: AsyncStream<StoreEvent> {
        AsyncStream { _ in }
    }

    /// Opens the session of an agent's stream.
    package func openSession(_ agent: AgentID) async throws(StoreError) -> SessionEpoch? {
        // A device that connects need not wait until there is room for more items.
        try await write(weight: 0) { try $0.openSession(agent) }
    }

    /// Closes a session, if it is the agent's current one.
    package func closeSession(
        _ agent: AgentID,
        _ epoch: SessionEpoch,
        attempts: [Int: DeliveryAttempts],
        ends: [TransientEnd],
        at now: Timestamp
    ) async throws(StoreError) -> StoreChanges? {
        try await write(weight: max(1, attempts.count + ends.count)) {
            try $0.closeSession(agent, epoch, attempts: attempts, ends: ends, at: now)
        }
    }

    /// Records that a batch was answered and waits to be stored.
    package func addPendingBatch(_ id: BatchID, in namespace: Namespace) async throws(StoreError) {
        pendingBatches.withLock { $0.add(id, in: namespace) }
    }

    /// Records that a pending batch is stored, or the outcome that kept it from being stored.
    package func endPendingBatch(
        _ id: BatchID,
        in namespace: Namespace,
        as outcome: PendingBatch?
    ) async throws(StoreError) {
        pendingBatches.withLock { $0.end(id, in: namespace, as: outcome) }
    }

    /// Returns the progress of a batch that was answered before it was stored.
    package func pendingBatch(_ id: BatchID, in namespace: Namespace) async throws(StoreError) -> PendingBatch? {
        pendingBatches.withLock { $0.batch(id, in: namespace) }
    }

    /// Adds a fault after the others.
    package func addFault(
        _ fault: SendFault,
        as id: FaultID,
        in namespace: Namespace
    ) async throws(StoreError) -> ScriptedFault? {
        faultScript.withLock { $0.add(fault, as: id, in: namespace) }
    }

    /// Returns the faults of a namespace.
    package func faults(in namespace: Namespace) async throws(StoreError) -> [ScriptedFault] {
        faultScript.withLock { $0.faults(in: namespace) }
    }

    /// Removes a fault.
    package func removeFault(_ id: FaultID, in namespace: Namespace) async throws(StoreError) -> Bool {
        faultScript.withLock { $0.remove(id, in: namespace) }
    }

    /// Removes the faults of a namespace.
    package func removeFaults(in namespace: Namespace) async throws(StoreError) {
        faultScript.withLock { $0.removeAll(in: namespace) }
    }

    /// Returns the first fault for a device, and uses it up by one request.
    package func takeFault(for token: DeviceToken) async throws(StoreError) -> ScriptedFault? {
        faultScript.withLock { $0.take(for: token) }
    }

    /// Returns the devices that have faults.
    package func tokensWithFaults() async throws(StoreError) -> Set<DeviceToken> {
        faultScript.withLock(\.tokens)
    }
}

extension StoreTransaction {
    /// Opens a session of an agent; `nil` if there is no such agent.
    mutating func openSession(_ agent: AgentID) throws -> SessionEpoch? {
        guard let namespaceID = try namespaceID(of: agent.namespace) else { return nil }
        let agents = try database.rows(
            "SELECT 1 FROM agent WHERE namespace = ? AND number = ?",
            [namespaceID, agent.number]
        ) { _ in true }
        return agents.isEmpty ? nil : liveState.openSession(agent.number)
    }

    /// Closes a session; `nil` if it is not the agent's current one.
    mutating func closeSession(
        _ agent: AgentID,
        _ epoch: SessionEpoch,
        attempts: [Int: DeliveryAttempts],
        ends: [TransientEnd],
        at now: Timestamp
    ) throws -> StoreChanges? {
        guard liveState.closeSession(agent.number, epoch) else { return nil }
        try recordAttempts(attempts, in: agent.namespace)
        try recordOutcomes(ends)
        return try collapseInbox(of: agent, at: now)
    }
}
