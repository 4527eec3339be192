package import GatewayStore
package import PushRules
package import WaypostSchema

/// The delivery log.
extension PostgresStore {
    /// Returns a part of the log.
    package func logEntries(matching query: LogQuery, in namespace: Namespace) async throws(StoreError) -> [LogEntry] {
        guard keepsLog else { return [] }
        return try await readPool.withConnection { try query.fetch($0, in: namespace) }
    }

    /// Returns the log entries at `sequences`.
    package func logEntries(at sequences: [Int], in namespace: Namespace) async throws(StoreError) -> [LogEntry] {
        guard keepsLog, !sequences.isEmpty else { return [] }
        return try await readPool.withConnection { try LogEntry.fetchAll($0, at: sequences, in: namespace) }
    }

    /// Returns the newest log entry of the notification with the identifier `id`.
    package func logEntry(of id: NotificationID, in namespace: Namespace) async throws(StoreError) -> LogEntry? {
        guard keepsLog else { return nil }
        return try await readPool.withConnection { try LogEntry.fetch($0, of: id, in: namespace) }
    }

    /// Adds the times and the number of sends to the log entries of notifications.
    package func recordAttempts(_ attempts: [Int: DeliveryAttempts], in namespace: Namespace) async throws(StoreError) {
        guard keepsLog, !attempts.isEmpty else { return }
        try await write(weight: attempts.count) { try $0.recordAttempts(attempts, in: namespace) }
    }
}
