internal import Foundation
internal import GatewayStore
internal import Hummingbird
internal import JSONScanning
internal import LocalService
internal import PushRules
internal import Synchronization
internal import WaypostSchema

/// `/v1/devices/:token/inbox`: the notifications that wait for a device.
struct InboxRoutes {
    let devices: DeviceRegistry

    func add(to router: Router<ServiceContext>) {
        router.get("v1/devices/:token/inbox") { request, context in
            let query = request.uri.queryParameters
            let after = try NotificationQuery.after(in: query)
            let limit = try NotificationQuery.limit(in: query)
            let (token, namespace) = (try DeviceToken(in: context), try request.namespace)
            let page = try await devices.inbox(of: token, after: after ?? 0, limit: limit, in: namespace)
            return try JSONResponse.make(page, compressing: request.acceptsGzip)
        }
        router.delete("v1/devices/:token/inbox") { request, context in
            let topic = request.uri.queryParameters["topic"].map { Topic(rawValue: String($0)) }
            let token = try DeviceToken(in: context)
            return try JSONResponse.make(
                try await devices.purgeInbox(of: token, topic: topic, in: try request.namespace)
            )
        }
    }
}

extension DeviceRegistry {
    /// The number of notifications per read of an inbox.
    private static let inboxReadSize = 32

    /// The size in bytes of the payloads after which no more notifications are read for a page.
    private static let maximumInboxPageSize = 2 << 20

    /// Returns the first notifications above sequence `cursor` in the inbox of a device: `limit`, or fewer if their
    /// payloads are large.
    ///
    /// - Throws: `GatewayError.unknownDevice` if no device has the token, or an error of `BodyMemory`.
    func inbox(
        of token: DeviceToken,
        after cursor: Int,
        limit: Int,
        in namespace: Namespace
    ) async throws -> InboxPage {
        let device = try await device(token, in: namespace)
        var (stored, payloadSize, isComplete): ([StoredNotification], Int, Bool) = ([], 0, false)
        // One more shows whether there is a next page.
        while !isComplete, stored.count <= limit, payloadSize < Self.maximumInboxPageSize {
            let (start, count) = (stored.last?.sequence ?? cursor, min(Self.inboxReadSize, limit + 1 - stored.count))
            let part = try await delivery.store.call(in: namespace) { store, now in
                try await store.inbox(of: token, in: namespace, after: start, limit: count, at: now)
            }
            guard let part else { throw GatewayError.unknownDevice(token) }
            payloadSize += part.reduce(0) { $0 + $1.notification.payload.count }
            try BodyMemory.current?.reserve(payloadSize)
            isComplete = part.count < count
            stored += part
        }
        let (page, hasMore) = (stored.prefix(limit), stored.count > limit || !isComplete)
        let entries = delivery.sessions.withLock { sessions in
            page.map { stored in
                InboxEntry(
                    notification: DeliveredNotification(stored),
                    state: sessions.isInFlight(stored.sequence) ? .sent : .stored,
                    held: PowerRule.defers(
                        priority: stored.notification.priority,
                        isLowPowerModeEnabled: device.powerConstrained
                    )
                )
            }
        }
        return InboxPage(notifications: entries, next: hasMore ? entries.last?.notification.sequence : nil)
    }

    /// Removes the notifications from a device's inbox, or those for one topic; they end as dropped.
    func purgeInbox(
        of token: DeviceToken,
        topic: Topic?,
        in namespace: Namespace
    ) async throws(GatewayError) -> InboxPurge {
        let (_, changes) = try await apply(.inboxPurge(of: topic), to: token, in: namespace)
        return InboxPurge(removed: changes.removals.count)
    }
}

extension DeliveredNotification {
    /// Creates the notification as it is delivered.
    fileprivate init(_ stored: StoredNotification) {
        let notification = stored.notification
        self.init(
            sequence: stored.sequence,
            id: notification.id,
            token: notification.token,
            topic: notification.topic,
            pushType: notification.pushType,
            priority: notification.priority,
            expiration: notification.expiration,
            collapseID: notification.collapseID,
            traceparent: notification.traceparent,
            // Payloads are validated as JSON before they are stored.
            payload: (try? DocumentDecoder.decode(JSONValue.self, from: notification.payload)) ?? .null
        )
    }
}
