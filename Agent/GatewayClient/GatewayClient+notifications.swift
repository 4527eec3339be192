internal import AsyncHTTPClient
internal import Foundation
internal import NIOCore
package import WaypostSchema

/// A filter for a gateway's delivery log.
package struct NotificationFilter: Sendable, Equatable {
    /// The namespace, or `nil` for the gateway's default one.
    package var namespace: Namespace?

    /// The token to which notifications were sent, or whose current device they are for; `nil` for any.
    package var token: DeviceToken?

    /// The app that notifications are for; `nil` for any.
    package var topic: Topic?

    /// The states of notifications; empty for any.
    package var states: [DeliveryState] = []

    /// The earliest time of arrival: milliseconds since 1970, or a time before now such as `10m`.
    package var since: String?

    /// The sequence after which the log is read.
    package var after: Int?

    /// The maximum number of notifications on a page.
    package var limit: Int?

    /// Creates a filter that matches every notification.
    package init() {}

    /// The query string of a request, with its question mark.
    fileprivate var query: String {
        let states = states.isEmpty ? nil : states.map(\.rawValue).joined(separator: ",")
        let parameters: [(String, String?)] = [
            ("token", token?.rawValue), ("topic", topic?.rawValue), ("state", states), ("since", since),
            ("after", after.map { "\($0)" }), ("limit", limit.map { "\($0)" }),
        ]
        let given = parameters.compactMap { name, value in value.map { "\(name)=\(PathText.escaped($0))" } }
        return given.isEmpty ? "" : "?" + given.joined(separator: "&")
    }
}

extension GatewayClient {
    /// Returns a page of the delivery log.
    package func notifications(_ filter: NotificationFilter) async throws(CallError) -> NotificationPage {
        try await service.get("/v1/notifications" + filter.query, headers: NamespaceHeader.fields(filter.namespace))
    }

    /// Returns a notification with its delivery states.
    package func notification(
        _ id: NotificationID,
        in namespace: Namespace? = nil
    ) async throws(CallError) -> NotificationRecord {
        try await service.get(
            "/v1/notifications/" + PathText.escaped(id.rawValue),
            headers: NamespaceHeader.fields(namespace)
        )
    }

    /// Returns a notification once it has been in a state, is in a final state, or the time is over.
    ///
    /// - Parameters:
    ///   - id: the notification, which need not be known yet.
    ///   - state: the state, or `nil` for any final one.
    ///   - seconds: the maximum time to wait.
    ///   - namespace: the namespace of the notification.
    /// - Returns: the notification as it is then.
    /// - Throws: `CallError`; a refusal with status 404 if the notification is still unknown.
    package func notification(
        _ id: NotificationID,
        reaching state: DeliveryState?,
        within seconds: Int,
        in namespace: Namespace? = nil
    ) async throws(CallError) -> NotificationRecord {
        let path = "/v1/notifications/\(PathText.escaped(id.rawValue))?wait=\(state?.rawValue ?? "final")"
        var secondsLeft = seconds
        while true {
            // Each wait is shorter than the time after which a silent connection is considered dead.
            let wait = min(secondsLeft, 20)
            secondsLeft -= wait
            do throws(CallError) {
                let record: NotificationRecord = try await service.get(
                    path + "&timeout=\(wait)s",
                    headers: NamespaceHeader.fields(namespace),
                    timeout: .seconds(wait) + JSONCalls.timeout
                )
                let isThere = record.state.isFinal || state.map(record.hasReached) ?? false
                if isThere || secondsLeft <= 0 { return record }
            } catch {
                guard case .refused(status: 404, _) = error, secondsLeft > 0 else { throw error }
            }
        }
    }

    /// Follows the delivery log until the stream ends.
    ///
    /// - Parameters:
    ///   - filter: the part of the log to follow; without `since` and `after`, it begins with the next change.
    ///   - handle: called with each notification that changed.
    /// - Returns: the gateway's reason for the end of the stream, or `nil` if it gave none.
    /// - Throws: `CallError`, or what `handle` throws.
    package func followNotifications(
        _ filter: NotificationFilter,
        handle: (NotificationRecord) throws -> Void
    ) async throws -> StreamEnd? {
        let headers = NamespaceHeader.fields(filter.namespace) + [("accept", "text/event-stream")]
        let response = try await service.stream("/v1/notifications" + filter.query, headers: headers)
        var parser = ServerSentEventParser()
        for try await piece in response.body {
            for event in try parser.append(piece.readableBytesView) {
                let data = Data(event.data.utf8)
                switch event.type {
                case "notification": try handle(try JSONDecoder().decode(NotificationRecord.self, from: data))
                case "end": return try JSONDecoder().decode(StreamEnd.self, from: data)
                default: break
                }
            }
        }
        return nil
    }
}
