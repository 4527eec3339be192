internal import AsyncHTTPClient
internal import Foundation
internal import JSONScanning
package import WaypostSchema

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
                case "notification": try handle(try DocumentDecoder.decode(NotificationRecord.self, fromDeepJSON: data))
                case "end": end = try DocumentDecoder.decode(StreamEnd.self, fromDeepJSON: data)
                default: break
                }
            }
        }
        return end
    }
}
