import Delivery
import GatewayStore
import Testing
import WaypostSchema

/// What tests ask of the log.
extension ExampleStore {
    /// Returns everything that the log has.
    func log(in namespace: Namespace = .standard) async throws -> [LogEntry] {
        try await store.log(LogQuery(start: .after(0), limit: .max), in: namespace)
    }

    /// Returns the identifiers of what a query finds.
    func logged(_ query: LogQuery) async throws -> [NotificationID?] {
        try await store.log(query, in: .standard).map(\.subject.id)
    }

    /// Returns what the log has of a notification.
    func entry(_ id: NotificationID) async throws -> LogEntry {
        try #require(try await store.log(of: id, in: .standard))
    }

    /// Returns where the log says that a notification is, and since when where that is a final state.
    func end(of id: NotificationID) async throws -> LogEnd {
        let entry = try await entry(id)
        return LogEnd(entry.state, at: entry.ended)
    }
}

/// Where a notification is, and since when where that is a final state.
struct LogEnd: Equatable {
    var state: DeliveryState
    var ended: Timestamp?

    init(_ state: DeliveryState, at ended: Timestamp? = nil) {
        (self.state, self.ended) = (state, ended)
    }
}

extension RejectedItem {
    /// An item that was rejected, of which so much could be read.
    static func example(_ id: NotificationID? = nil, to token: DeviceToken? = nil) -> Self {
        var item = Self.example
        item.subject = LogSubject(id: id, token: token, topic: id == nil ? nil : "clowns")
        return item
    }
}
