internal import GRDB
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

    /// Closes sessions that are the current ones of their agents.
    package func closeSessions(_ closings: [SessionClosing]) async throws(StoreError) -> [StoreChanges?] {
        guard !closings.isEmpty else { return [] }
        return try await write(weight: closings.reduce(0) { $0 + $1.weight }) { transaction in
            try closings.map { try transaction.closeSession($0) }
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

    /// Decides which fault a request gets, and uses it up by one request.
    package func takeFault(
        for token: DeviceToken,
        in namespace: Namespace
    ) async throws(StoreError) -> FaultDecision {
        faultScript.withLock { $0.take(for: token, in: namespace) }
    }

    /// Returns the devices that have faults.
    package func faultTargets() async throws(StoreError) -> FaultTargets {
        faultScript.withLock(\.targets)
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
    mutating func closeSession(_ closing: SessionClosing) throws -> StoreChanges? {
        guard liveState.closeSession(closing.agent.number, closing.epoch) else { return nil }
        try recordAttempts(closing.attempts, in: closing.agent.namespace)
        try recordOutcomes(closing.ends)
        return try collapseInbox(of: closing.agent, at: closing.time)
    }
}
