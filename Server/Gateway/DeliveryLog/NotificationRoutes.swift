internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import LocalService
internal import WaypostSchema

/// `/v1/notifications`: the delivery log, listed, followed, and waited for.
struct NotificationRoutes {
    let log: DeliveryLogReader

    func add(to router: Router<BasicRequestContext>) {
        router.get("v1/notifications") { request, _ in
            let query = try NotificationQuery(request)
            return request.acceptsEventStream ? try await follow(query) : try await list(query, request)
        }
        router.get("v1/notifications/:id") { request, context in
            let text = try context.parameters.require("id")
            guard let id = text.removingPercentEncoding else {
                throw RequestError.badParameter(name: "id", "'\(text)' is not percent-encoded as a path is")
            }
            let record = try await notification(NotificationID(rawValue: id), request)
            return try JSONResponse.make(record, compressing: request.acceptsGzip)
        }
    }

    private func list(_ query: NotificationQuery, _ request: Request) async throws -> Response {
        try JSONResponse.make(try await log.page(query), compressing: request.acceptsGzip)
    }

    private func follow(_ query: NotificationQuery) async throws -> Response {
        // Before the head, so that a client that sees it misses nothing from then on.
        let follower = log.delivery.followers.follow(query.namespace)
        let hasBacklog = query.since != nil || query.after != nil
        if hasBacklog { try await log.delivery.expire(query.namespace) }
        let following = NotificationFollowing(
            log: log,
            selection: try await log.selection(query),
            start: hasBacklog ? query.after ?? 0 : nil,
            follower: follower
        )
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody { writer in try await following.write(to: &writer) }
        )
    }

    private func notification(_ id: NotificationID, _ request: Request) async throws -> NotificationRecord {
        let namespace = try request.namespace
        guard let wait = try NotificationWait(request) else {
            return try await log.notification(id, in: namespace)
        }
        return try await wait.notification(id, in: namespace, log)
    }
}

extension Request {
    /// Whether an event stream is asked for (RFC 9110, 12.5.1).
    fileprivate var acceptsEventStream: Bool {
        headers[values: .accept].contains { value in
            value.split(separator: ",").contains { range in
                range.split(separator: ";").first?.filter { $0 != " " }.lowercased() == "text/event-stream"
            }
        }
    }
}

/// A wish to be answered once a notification has come into a state: `?wait=acknowledged&timeout=2s`.
struct NotificationWait {
    /// What can be waited for.
    enum Goal: Sendable, Equatable {
        /// That it has been in a state.
        case state(DeliveryState)

        /// That nothing more will become of it.
        case final

        /// Reads the parameter.
        init(_ text: Substring) throws(RequestError) {
            if text == "final" {
                self = .final
            } else if let state = DeliveryState(rawValue: String(text)) {
                self = .state(state)
            } else {
                let states = DeliveryState.allCases.map(\.rawValue).joined(separator: ", ")
                throw .badParameter(name: "wait", "'\(text)' cannot be waited for; 'final' can, and a state: \(states)")
            }
        }

        /// Whether waiting on is pointless: a notification has got there, or will not get anywhere any more.
        func isMet(by record: NotificationRecord) -> Bool {
            switch self {
            case .state(let state): record.hasReached(state) || record.state.isFinal
            case .final: record.state.isFinal
            }
        }
    }

    private let goal: Goal
    private let timeout: WaitTimeout

    /// Reads a request's query; `nil` where there is no such wish.
    init?(_ request: Request) throws(RequestError) {
        let timeout = try WaitTimeout(request)
        guard let wait = request.uri.queryParameters["wait"] else { return nil }
        goal = try Goal(wait)
        self.timeout = timeout
    }

    /// Returns what the log says of a notification once the goal is met, the time is over or the gateway shuts down.
    ///
    /// - Throws: `GatewayError.unknownNotification` where the log does not know it even then.
    func notification(
        _ id: NotificationID,
        in namespace: Namespace,
        _ log: DeliveryLogReader
    ) async throws -> NotificationRecord {
        let goal = goal
        try await timeout.wait { try await log.wait(for: goal, of: id, in: namespace) }
        return try await log.notification(id, in: namespace)
    }
}
