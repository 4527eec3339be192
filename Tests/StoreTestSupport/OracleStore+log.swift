package import GatewayStore
package import PushRules
import Synchronization
package import WaypostSchema

/// The delivery log.
extension OracleStore {
    package func logEntries(matching query: LogQuery, in namespace: Namespace) async throws(StoreError) -> [LogEntry] {
        change { $0.oracle.log(query, in: namespace) }
    }

    package func logEntries(at sequences: [Int], in namespace: Namespace) async throws(StoreError) -> [LogEntry] {
        change { contents in
            Set(sequences).sorted().compactMap { contents.oracle.lines[$0] }
                .filter { $0.namespace == namespace }.map(\.entry)
        }
    }

    package func logEntry(of id: NotificationID, in namespace: Namespace) async throws(StoreError) -> LogEntry? {
        change { $0.oracle.log(LogQuery(limit: .max), in: namespace).last { $0.subject.id == id } }
    }

    package func recordAttempts(_ attempts: [Int: DeliveryAttempts], in namespace: Namespace) async throws(StoreError) {
        change { contents in
            for (sequence, attempts) in attempts { contents.oracle.note(attempts, of: sequence, in: namespace) }
        }
        notify(.logged(attempts.keys.map { $0...$0 }, in: namespace))
    }
}

/// Namespaces, clocks and faults.
extension OracleStore {
    package func namespaces() async throws(StoreError) -> [NamespaceSummary] {
        change { contents in
            contents.oracle.namespaces.map { contents.oracle.summary(of: $0) }
                .sorted { $0.name.rawValue < $1.name.rawValue }
        }
    }

    package func reset(_ namespace: Namespace) async throws(StoreError) -> Set<AgentID> {
        try check()
        let agents = change { contents in
            contents.pending.removeAll(in: namespace)
            contents.faults.removeAll(in: namespace)
            contents.keys = contents.keys.filter { $0.key.namespace != namespace }
            contents.channels = contents.channels.filter { $0.key.namespace != namespace }
            contents.subscriptions = contents.subscriptions.filter { $0.key.namespace != namespace }
            contents.numbers = contents.numbers.filter { $0.key.namespace != namespace }
            contents.owners = contents.owners.filter { $0.key.namespace != namespace }
            contents.unread = contents.unread.filter { $0.key.namespace != namespace }
            return contents.oracle.reset(namespace)
        }
        notify(.reset(namespace))
        try await state.workAfterReset.perform()
        return agents
    }

    package func clock(of namespace: Namespace) async throws(StoreError) -> Timestamp? {
        let now = change { $0.oracle.clocks[namespace] }
        try await state.workAfterClockRead.perform()
        return now
    }

    package func startClock(of namespace: Namespace, at start: Timestamp) async throws(StoreError) -> Timestamp? {
        change { contents in
            guard contents.oracle.namespaces.contains(namespace) else { return nil }
            let now = contents.oracle.clocks[namespace] ?? start
            contents.oracle.clocks[namespace] = now
            return now
        }
    }

    package func moveClock<Refusal: Error>(
        of namespace: Namespace,
        startingAt start: Timestamp,
        to destination: @escaping @Sendable (Timestamp) throws(Refusal) -> Timestamp
    ) async throws(StoreError) -> Result<Timestamp, Refusal> {
        let moved = change { contents in
            let present = contents.oracle.clocks[namespace] ?? start
            let now = Result { () throws(Refusal) in max(try destination(present), present) }
            if case .success(let now) = now {
                contents.oracle.clocks[namespace] = now
                contents.oracle.namespaces.insert(namespace)
            }
            return now
        }
        if case .success = moved { notify(.clockMoved(namespace)) }
        return moved
    }

    package func addFault(
        _ fault: SendFault,
        as id: FaultID,
        in namespace: Namespace
    ) async throws(StoreError) -> ScriptedFault? {
        let scripted = change { $0.faults.add(fault, as: id, in: namespace) }
        notify(.faultsChanged)
        return scripted
    }

    package func faults(in namespace: Namespace) async throws(StoreError) -> [ScriptedFault] {
        change { $0.faults.faults(in: namespace) }
    }

    package func removeFault(_ id: FaultID, in namespace: Namespace) async throws(StoreError) -> Bool {
        let isRemoved = change { $0.faults.remove(id, in: namespace) }
        notify(.faultsChanged)
        return isRemoved
    }

    package func removeFaults(in namespace: Namespace) async throws(StoreError) {
        change { $0.faults.removeAll(in: namespace) }
        notify(.faultsChanged)
    }

    package func takeFault(
        for token: DeviceToken,
        in namespace: Namespace
    ) async throws(StoreError) -> FaultDecision {
        change { $0.faults.take(for: token, in: namespace) }
    }

    package func faultTargets() async throws(StoreError) -> FaultTargets {
        change(\.faults.targets)
    }
}
