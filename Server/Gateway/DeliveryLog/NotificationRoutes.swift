internal import Foundation
internal import GatewayStore
internal import HTTPTypes
internal import Hummingbird
internal import LocalService
internal import NIOCore
internal import WaypostSchema

/// `/v1/notifications` and `/v1/activity`: list and follow the delivery log, and wait for a notification's state.
struct NotificationRoutes {
    let log: DeliveryLogReader
    let lists: ActivityLists

    func add(to router: Router<ServiceContext>) {
        router.get("v1/notifications") { request, _ in
            let query = try NotificationQuery(request)
            return request.acceptsEventStream ? try await follow(query, nil) : try await list(query, request)
        }
        router.get("v1/activity") { request, _ in try await follow(try NotificationQuery(request), lists) }
        router.get("v1/notifications/:id/payload") { request, context in
            let id = NotificationID(rawValue: try context.pathComponent("id"))
            let payload = try await payload(of: id, in: try request.namespace)
            return Response(
                status: .ok,
                headers: [.contentType: "application/json"],
                body: .init(byteBuffer: ByteBuffer(bytes: payload))
            )
        }
        router.get("v1/notifications/:id") { request, context in
            let id = NotificationID(rawValue: try context.pathComponent("id"))
            let record = try await notification(id, request, context: context)
            return try JSONResponse.make(record, compressing: request.acceptsGzip)
        }
    }

    private func list(_ query: NotificationQuery, _ request: Request) async throws -> Response {
        try BodyFootprint.reserveList(of: query.limit)
        return try JSONResponse.make(try await log.page(query), compressing: request.acceptsGzip)
    }

    /// Returns the payload of a notification: one of the last ones, or one that waits in an inbox.
    ///
    /// - Throws: `GatewayError.unknownPayload` if the gateway no longer has it, `unknownNotification` if the log
    ///   does not have the notification.
    private func payload(of id: NotificationID, in namespace: Namespace) async throws(GatewayError) -> [UInt8] {
        if let payload = log.delivery.payloads.payload(of: id, in: namespace) { return payload }
        let record = try await log.notification(id, in: namespace)
        guard let token = record.token, !record.state.isFinal else { throw .unknownPayload(id) }
        let stored = try await log.delivery.store.call(in: namespace) { store, now in
            try await store.inbox(of: token, in: namespace, after: record.sequence - 1, limit: 1, at: now)
        }
        guard let first = stored?.first, first.sequence == record.sequence else { throw .unknownPayload(id) }
        return first.notification.payload
    }

    private func follow(_ query: NotificationQuery, _ lists: ActivityLists?) async throws -> Response {
        // Follows before the head is written, so that a client that has seen the head misses no change.
        let follower = log.delivery.followers.follow(query.filter.namespace)
        let hasBacklog = query.since != nil || query.afterSequence != nil
        if hasBacklog { try await log.delivery.expire(query.filter.namespace) }
        let stream = NotificationStreamWriter(
            log: log,
            filter: try await log.resolvedFilter(of: query),
            start: hasBacklog ? query.afterSequence ?? 0 : nil,
            follower: follower,
            lists: lists
        )
        return ServerSentEventText.response { writer in try await stream.write(to: &writer) }
    }

    private func notification(
        _ id: NotificationID,
        _ request: Request,
        context: ServiceContext
    ) async throws -> NotificationRecord {
        let namespace = try request.namespace
        guard let wait = try NotificationWait(request) else {
            return try await log.notification(id, in: namespace)
        }
        return try await wait.notification(id, in: namespace, log, for: context)
    }
}

extension Request {
    /// Whether the client asks for an event stream (RFC 9110, 12.5.1).
    fileprivate var acceptsEventStream: Bool {
        headers[values: .accept].contains { value in
            value.split(separator: ",").contains { range in
                range.split(separator: ";").first?.filter { $0 != " " }.lowercased() == "text/event-stream"
            }
        }
    }
}

/// The options of a request that waits for a notification's state: `?wait=acknowledged&timeout=2s`.
struct NotificationWait {
    /// The goal of the wait.
    enum Goal: Sendable, Equatable {
        /// The notification has been in a state.
        case state(DeliveryState)

        /// The notification is in a final state.
        case final

        /// Parses the query parameter.
        init(_ string: Substring) throws(RequestError) {
            if string == "final" {
                self = .final
            } else if let state = DeliveryState(rawValue: String(string)) {
                self = .state(state)
            } else {
                let states = DeliveryState.allCases.map(\.rawValue).joined(separator: ", ")
                throw .badParameter(name: "wait", "'\(string)' is not accepted; use 'final' or a state: \(states)")
            }
        }

        /// Whether the wait is over: the notification has reached the goal, or can no longer reach it.
        func isMet(by record: NotificationRecord) -> Bool {
            switch self {
            case .state(let state): record.hasReached(state) || record.state.isFinal
            case .final: record.state.isFinal
            }
        }
    }

    private let goal: Goal
    private let timeout: WaitTimeout

    /// Reads a request's query; `nil` if the request does not wait.
    init?(_ request: Request) throws(RequestError) {
        let timeout = try WaitTimeout(request)
        guard let wait = request.uri.queryParameters["wait"] else { return nil }
        goal = try Goal(wait)
        self.timeout = timeout
    }

    /// Returns the log record of a notification once the goal is met, the time-out expires or the gateway shuts down.
    ///
    /// - Throws: `GatewayError.unknownNotification` if the log does not contain it by then.
    func notification(
        _ id: NotificationID,
        in namespace: Namespace,
        _ log: DeliveryLogReader,
        for context: ServiceContext
    ) async throws -> NotificationRecord {
        let goal = goal
        try await timeout.wait(unlessDisconnected: context) { try await log.wait(for: goal, of: id, in: namespace) }
        return try await log.notification(id, in: namespace)
    }
}
