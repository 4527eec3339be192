package import Delivery
package import WaypostSchema

extension SQLiteStore {
    /// Returns a part of the log.
    package func log(_ query: LogQuery, in namespace: Namespace) async throws(StoreFault) -> [LogEntry] {
        []
    }

    /// Returns what the log has at `sequences`.
    package func log(at sequences: [Int], in namespace: Namespace) async throws(StoreFault) -> [LogEntry] {
        []
    }

    /// Returns the newest entry of the notification that has `id`.
    package func log(of id: NotificationID, in namespace: Namespace) async throws(StoreFault) -> LogEntry? {
        nil
    }

    /// Adds when and how often notifications were sent.
    package func note(_ attempts: [Int: DeliveryAttempts], in namespace: Namespace) async throws(StoreFault) {
    }
}
