import GatewayStore
import PushRules
import Testing
import WaypostSchema

/// The log queries of the tests.
extension ExampleStore {
    /// Returns all entries of the log.
    func log(in namespace: Namespace = .standard) async throws -> [LogEntry] {
        try await store.logEntries(matching: LogQuery(start: .after(0), limit: .max), in: namespace)
    }

    /// Returns the identifiers of the notifications that a query finds.
    func logged(_ query: LogQuery) async throws -> [NotificationID?] {
        try await store.logEntries(matching: query, in: .standard).map(\.subject.id)
    }

    /// Returns the log entry of a notification.
    func entry(_ id: NotificationID) async throws -> LogEntry {
        try #require(try await store.logEntry(of: id, in: .standard))
    }

    /// Returns the logged state of a notification, with its time if the state is final.
    func end(of id: NotificationID) async throws -> LogEnd {
        let entry = try await entry(id)
        return LogEnd(entry.state, at: entry.endedAt)
    }
}

/// The state of a notification, with its time if the state is final.
struct LogEnd: Equatable {
    var state: DeliveryState
    var ended: Timestamp?

    init(_ state: DeliveryState, at ended: Timestamp? = nil) {
        (self.state, self.ended) = (state, ended)
    }
}

extension RejectedItem {
    /// Returns a rejected item with the identifier and token that could be read.
    static func example(_ id: NotificationID? = nil, to token: DeviceToken? = nil) -> Self {
        var item = Self.example
        item.subject = LogSubject(id: id, token: token, topic: id == nil ? nil : "clowns")
        return item
    }
}
