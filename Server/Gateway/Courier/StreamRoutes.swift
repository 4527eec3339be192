internal import GatewayStore
internal import Hummingbird
internal import LocalService
internal import NIOCore
internal import Synchronization
internal import WaypostSchema

/// `/v1/streams`: the open event streams of this gateway.
struct StreamRoutes {
    let delivery: DeliveryService

    func add(to router: Router<ServiceContext>) {
        router.get("v1/streams") { request, _ in
            let query = request.uri.queryParameters
            let after = try NotificationQuery.after(in: query)
            let limit = try NotificationQuery.limit(in: query)
            try BodyFootprint.reserveList(of: limit)
            let page = try await delivery.streams(
                after: after ?? 0,
                limit: limit,
                in: try request.namespace,
                at: .now()
            )
            return try JSONResponse.make(page)
        }
        router.delete("v1/streams/:agent") { request, context in
            let name = try context.pathComponent("agent")
            try delivery.disconnect(name, in: try request.namespace)
            return Response(status: .noContent)
        }
    }
}

extension DeliveryService {
    /// Returns the first `limit` streams of a namespace at this gateway whose agents' numbers are above `number`.
    func streams(
        after number: Int,
        limit: Int,
        in namespace: Namespace,
        at now: NIODeadline
    ) async throws(GatewayError) -> StreamPage {
        // One more shows whether there is a next page.
        let candidates = sessions.withLock { $0.streams(after: number, limit: limit + 1, in: namespace, at: now) }
        let agents = Set(candidates.map { AgentID(namespace: namespace, number: $0.agent) })
        let devices = try await store.call { try await $0.devices(of: agents, in: namespace) }
        let streams = candidates.prefix(limit).map { stream in
            var stream = stream
            stream.devices = devices[AgentID(namespace: namespace, number: stream.agent)] ?? []
            return stream
        }
        return StreamPage(streams: streams, next: candidates.count > limit ? streams.last?.agent : nil)
    }

    /// Ends the stream of the agent whose number is `name`; the agent may open another one.
    ///
    /// - Throws: `GatewayError.unknownStream` if the agent has no stream at this gateway.
    func disconnect(_ name: String, in namespace: Namespace) throws(GatewayError) {
        guard let number = Int(name) else { throw .unknownStream(name) }
        let agent = AgentID(namespace: namespace, number: number)
        guard let signal = sessions.withLock({ $0.signals(of: [agent]).first }) else { throw .unknownStream(name) }
        signal(.ended(.disconnected))
    }
}
