package import Delivery
import Synchronization
package import WaypostSchema

extension MemoryStore {
    /// Returns a part of the log.
    ///
    /// - Complexity: O(log n + limit) for n notifications, what the query leaves out aside.
    package func log(_ query: LogQuery, in namespace: Namespace) -> [LogEntry] {
        records.withLock { $0[namespace]?.entries(query) ?? [] }
    }

    /// Returns what the log has at `sequences`.
    package func log(at sequences: [Int], in namespace: Namespace) -> [LogEntry] {
        records.withLock { $0[namespace]?.entries(at: sequences) ?? [] }
    }

    /// Returns the newest entry of the notification that has `id`.
    package func log(of id: NotificationID, in namespace: Namespace) -> LogEntry? {
        records.withLock { $0[namespace]?.entry(of: id) }
    }

    /// Adds when and how often notifications were sent.
    package func note(_ attempts: [Int: DeliveryAttempts], in namespace: Namespace) {
        records.withLock { records in
            for (sequence, attempts) in attempts { records[namespace]?.log.note(attempts, of: sequence) }
        }
    }
}
