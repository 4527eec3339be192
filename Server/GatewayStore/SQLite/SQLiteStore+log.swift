package import PushRules
package import WaypostSchema

extension SQLiteStore {
    /// Returns a part of the log.
    ///
    /// A query by sequence, token or identifier uses keys. A query by topic, state or time skips the entries that do
    /// not match.
    package func logEntries(matching query: LogQuery, in namespace: Namespace) async throws(StoreError) -> [LogEntry] {
        guard keepsLog else { return [] }
        return try await read(in: namespace) { try query.fetch($0, in: $1) } ?? []
    }

    /// Returns the log entries at `sequences`.
    package func logEntries(at sequences: [Int], in namespace: Namespace) async throws(StoreError) -> [LogEntry] {
        guard keepsLog, !sequences.isEmpty else { return [] }
        let entries = try await read(in: namespace) { database, namespaceID in
            try Set(sequences).sorted().compactMap { try LogEntry.fetch(database, at: $0, in: namespaceID) }
        }
        return entries ?? []
    }

    /// Returns the newest log entry of the notification with the identifier `id`.
    package func logEntry(of id: NotificationID, in namespace: Namespace) async throws(StoreError) -> LogEntry? {
        guard keepsLog else { return nil }
        return try await read(in: namespace) { try LogEntry.fetch($0, of: id, in: $1) }
    }

    /// Adds the times and the number of sends to the log entries of notifications.
    package func recordAttempts(_ attempts: [Int: DeliveryAttempts], in namespace: Namespace) async throws(StoreError) {
        guard keepsLog, !attempts.isEmpty else { return }
        try await write(weight: attempts.count) { try $0.recordAttempts(attempts, in: namespace) }
    }
}
