internal import GatewayStore
internal import Hummingbird
internal import LocalService
internal import Synchronization
internal import WaypostSchema

/// Namespaces, which isolate test runs from each other, and their clocks.
struct NamespaceService: Sendable {
    let batches: BatchService
    let channels: ChannelService
    let faults: FaultInjector
    let keys: ProviderKeyService
    let senders: SenderRecorder
    let followers = ClockFollowers()

    private var delivery: DeliveryService {
        batches.delivery
    }

    /// Returns every namespace that contains anything.
    func list() async throws(GatewayError) -> [NamespaceSummary] {
        try await delivery.store.call { try await $0.namespaces() }
    }

    /// Deletes everything in a namespace and ends its event streams and log streams.
    ///
    /// Requests of other connections may create the namespace again, and be answered, before this returns. Their
    /// devices, keys and streams stay; their requests may be missing in the report about senders.
    func reset(_ namespace: Namespace) async throws(GatewayError) {
        let streams = try await keys.keys.removeAll(in: namespace) { () async throws(GatewayError) -> OutdatedStreams in
            try await delivery.reset(namespace)
        }
        delivery.clocks.forget(namespace)
        delivery.end(streams)
        senders.reset(namespace)
        await delivery.clocks.reload(namespace)
        // A key that was added shortly before the deletion may be in memory, but not in the store.
        await keys.reload()
        await faults.reload()
    }

    /// Returns the reading of the clock of a namespace, which is created if it does not exist.
    func startedClock(of namespace: Namespace) async throws(GatewayError) -> ClockReading {
        ClockReading(now: try await delivery.store.startedNow(in: namespace), clock: delivery.clocks.source)
    }

    /// Moves a namespace's clock forward.
    ///
    /// When this returns, expired notifications have left their inboxes, and the agents that follow the clock have done
    /// everything that was due.
    func advanceClock(of namespace: Namespace, _ advance: ClockAdvance) async throws -> ClockReading {
        let now = try await delivery.clocks.advance(namespace, advance)
        try await delivery.expire(namespace)
        followers.recordMove(in: namespace)
        try await followers.waitForAll(toReach: now, in: namespace, timeout: WaitTimeout())
        return ClockReading(now: now, clock: delivery.clocks.source)
    }
}

/// `/v1/namespaces` and `/v1/clock`: namespaces and their clocks.
struct NamespaceRoutes {
    let namespaces: NamespaceService

    func add(to router: Router<ServiceContext>) {
        router.get("v1/namespaces") { _, _ in try JSONResponse.make(try await namespaces.list()) }
        router.delete("v1/namespaces/:name") { _, context in
            let name = try context.parameters.require("name")
            let namespace = try Namespace(checking: name, parameter: "name")
            // Runs after the pending changes of channels: one that ended later would create the namespace again.
            try await namespaces.channels.performInOrder { () async throws(GatewayError) in
                try await namespaces.reset(namespace)
            }
            return Response(status: .noContent)
        }
        router.get("v1/clock") { request, context in
            let namespace = try request.namespace
            let clocks = namespaces.batches.delivery.clocks
            guard let followRequest = try ClockFollowRequest(request), clocks.source == .manual else {
                return try JSONResponse.make(try await namespaces.startedClock(of: namespace))
            }
            // Only the first request of a follower may create the clock: a later one may be handled after the follower
            // has ended and its namespace was removed.
            if followRequest.isFirst { _ = try await namespaces.startedClock(of: namespace) }
            let now = try await followRequest.wait(
                for: clocks,
                in: namespace,
                context: context,
                followers: namespaces.followers
            )
            return try JSONResponse.make(ClockReading(now: now, clock: .manual))
        }
        router.post("v1/clock/advance") { request, _ in
            let namespace = try request.namespace
            let advance = try await JSONBody.decode(ClockAdvance.self, from: request)
            return try JSONResponse.make(try await namespaces.advanceClock(of: namespace, advance))
        }
    }
}
