package import Delivery
package import WaypostSchema

extension SQLiteStore {
    /// Returns a part of the log.
    ///
    /// What a query names by its place, its token or its identifier it finds through keys; topics, states and times pass over
    /// what does not suit.
    package func log(_ query: LogQuery, in namespace: Namespace) async throws(StoreError) -> [LogEntry] {
        guard keepsLog else { return [] }
        return try await read(in: namespace) { try query.fetch($0, in: $1) } ?? []
    }

    /// Returns what the log has at `sequences`.
    package func log(at sequences: [Int], in namespace: Namespace) async throws(StoreError) -> [LogEntry] {
        guard keepsLog, !sequences.isEmpty else { return [] }
        let entries = try await read(in: namespace) { database, namespaceID in
            try Set(sequences).sorted().compactMap { try LogEntry.fetch(database, at: $0, in: namespaceID) }
        }
        return entries ?? []
    }

    /// Returns the newest entry of the notification that has `id`.
    package func log(of id: NotificationID, in namespace: Namespace) async throws(StoreError) -> LogEntry? {
        guard keepsLog else { return nil }
        return try await read(in: namespace) { try LogEntry.fetch($0, of: id, in: $1) }
    }

    /// Adds when and how often notifications were sent.
    package func note(_ attempts: [Int: DeliveryAttempts], in namespace: Namespace) async throws(StoreError) {
        guard keepsLog, !attempts.isEmpty else { return }
        try await perform(weight: attempts.count) { try $0.note(attempts, in: namespace) }
    }
}
