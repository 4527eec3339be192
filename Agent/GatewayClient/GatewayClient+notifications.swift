internal import AsyncHTTPClient
internal import Foundation
internal import JSONScanning
package import WaypostSchema

/// A filter for a gateway's delivery log.
package struct NotificationFilter: Sendable, Equatable {
    /// The token to which notifications were sent, or whose current device they are for; `nil` for any.
    package var token: DeviceToken?

    /// The app that notifications are for; `nil` for any.
    package var topic: Topic?

    /// The trace that notifications belong to; `nil` for any.
    package var trace: TraceID?

    /// The states of notifications; empty for any.
    package var states: [DeliveryState] = []

    /// The earliest time of arrival: milliseconds since 1970, or a time before now such as `10m`.
    package var earliestArrival: String?

    /// The sequence after which the log is read.
    package var afterSequence: Int?

    /// The maximum number of notifications on a page.
    package var limit: Int?

    /// Creates a filter that matches every notification.
    package init() {}

    /// The query string of a request, with its question mark.
    fileprivate var query: String {
        let states = states.isEmpty ? nil : states.map(\.rawValue).joined(separator: ",")
        let parameters: [(String, String?)] = [
            ("token", token?.rawValue), ("trace", trace?.rawValue), ("topic", topic?.rawValue), ("state", states),
            ("since", earliestArrival),
            ("after", afterSequence.map { "\($0)" }), ("limit", limit.map { "\($0)" }),
        ]
        let items = parameters.compactMap { name, value in value.map { "\(name)=\(PercentEncoding.escaped($0))" } }
        return items.isEmpty ? "" : "?" + items.joined(separator: "&")
    }
}

extension GatewayClient {
    /// Returns a page of the delivery log.
    package func notifications(_ filter: NotificationFilter) async throws(CallError) -> NotificationPage {
        try await service.get("/v1/notifications" + filter.query)
    }

    /// Returns a notification with its delivery states.
    package func notification(_ id: NotificationID) async throws(CallError) -> NotificationRecord {
        try await service.get("/v1/notifications/" + PercentEncoding.escaped(id.rawValue))
    }

    /// Returns a notification when it has been in a state or is in a final one, or when the time is over.
    ///
    /// - Parameters:
    ///   - id: the notification, which need not exist yet.
    ///   - state: the state; `nil` for any final one.
    ///   - seconds: the maximum time to wait, in seconds.
    /// - Returns: the notification with its delivery states at that time.
    /// - Throws: `CallError`; a refusal with status 404 if it still does not exist.
    package func notification(
        _ id: NotificationID,
        reaching state: DeliveryState?,
        within seconds: Int
    ) async throws(CallError) -> NotificationRecord {
        let path = "/v1/notifications/\(PercentEncoding.escaped(id.rawValue))?wait=\(state?.rawValue ?? "final")"
        return try await service.poll(within: seconds) { wait, isLast throws(CallError) in
            do throws(CallError) {
                let record: NotificationRecord = try await service.get(
                    path + "&timeout=\(wait)s",
                    timeout: .seconds(wait) + JSONCalls.timeout
                )
                return isLast || record.state.isFinal || state.map(record.hasReached) ?? false ? record : nil
            } catch {
                guard case .refused(status: 404, _) = error, !isLast else { throw error }
                return nil
            }
        }
    }

    /// Follows the delivery log until the stream ends.
    ///
    /// - Parameters:
    ///   - filter: the part of the log to follow; without `earliestArrival` and `afterSequence`, it begins with the
    ///     next change.
    ///   - handle: called with each notification that changed.
    /// - Returns: the gateway's reason for the end of the stream, or `nil` if it gave none.
    /// - Throws: `CallError`, or what `handle` throws.
    package func followNotifications(
        _ filter: NotificationFilter,
        handle: (NotificationRecord) throws -> Void
    ) async throws -> StreamEnd? {
        var end: StreamEnd?
        let path = "/v1/notifications" + filter.query
        try await service.follow(path, headers: [("accept", "text/event-stream")]) { events in
            for event in events {
                let data = Data(event.data.utf8)
                switch event.type {
                case "notification": try handle(try DocumentDecoder.decode(NotificationRecord.self, fromEnvelope: data))
                case "end": end = try DocumentDecoder.decode(StreamEnd.self, fromEnvelope: data)
                default: break
                }
            }
        }
        return end
    }
}
