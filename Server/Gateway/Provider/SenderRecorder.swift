internal import Hummingbird
internal import LocalService
internal import NIOCore
internal import Synchronization
internal import WaypostSchema

/// The recorder of the behavior of providers, for tests of a provider.
///
/// A gateway keeps it in memory only, and records only its own requests.
final class SenderRecorder: Sendable {
    private let state = Mutex(State())
    private let sources: GatewaySources

    /// The number of responses; requests read it without the lock when they arrive.
    private let atomicResponseCount = Atomic<Int>(0)

    private let connectionCount = Atomic<Int>(0)

    /// The number of requests that are listed for a namespace.
    private let requestCapacity: Int

    /// Whether the headers and bodies of requests are kept.
    let keepsContent: Bool

    /// The open connections.
    let openConnections = OpenProviderConnections()

    private struct State {
        var activities: [Namespace: SenderActivity] = [:]
        var connections = RecentConnections()

        /// The number of requests in all namespaces.
        var requestCount = 0
    }

    /// Creates a recorder.
    ///
    /// - Parameters:
    ///   - sources: the source of time.
    ///   - recordedRequests: the number of requests to list for a namespace, with their headers and bodies; `nil` for
    ///     the default number without them.
    init(sources: GatewaySources, recordedRequests: Int? = nil) {
        self.sources = sources
        requestCapacity = recordedRequests ?? RecentRequests.standardCapacity
        keepsContent = recordedRequests != nil
    }

    /// The number of responses so far, which tells whether a request arrived before a response or after it.
    var responseCount: Int {
        atomicResponseCount.load(ordering: .acquiring)
    }

    /// Returns a number for a new connection.
    func makeConnectionNumber() -> Int {
        connectionCount.wrappingAdd(1, ordering: .relaxed).newValue
    }

    /// Records a request and its response, and returns the reply.
    ///
    /// If the response is delayed, it is recorded when it is sent (`recordResponseIfDelayed`).
    ///
    /// - Parameters:
    ///   - response: the response.
    ///   - request: the request, or `nil` if it is not recorded.
    ///   - delay: the time that the response takes.
    ///   - fault: the fault that was injected, if any; its delay replaces the usual one.
    /// - Returns: the reply, with the fault applied.
    func record(
        _ response: ProviderResponse,
        to request: SentRequest?,
        after delay: TimeAmount = .zero,
        applying fault: SendFault? = nil
    ) -> ProviderReply {
        var reply = ProviderReply(response, after: delay).modified(by: fault)
        guard let request else { return reply }
        let isDelayed = reply.delay > .zero
        let number = record(request, for: response.target, fault?.kind, response: isDelayed ? nil : response)
        if isDelayed { reply.delayedRequestNumber = number }
        return reply
    }

    /// Records a request that gets no response because of a fault, and returns the reply.
    func record(
        _ action: ProviderReply.Action,
        to request: SentRequest?,
        for target: SendTarget,
        applying fault: SendFault
    ) -> ProviderReply {
        if let request { _ = record(request, for: target, fault.kind, response: nil) }
        return ProviderReply(action)
    }

    /// Records a request, with its response unless that is sent later or never, and returns its number.
    private func record(
        _ request: SentRequest,
        for target: SendTarget,
        _ fault: SendFault.Kind?,
        response: ProviderResponse?
    ) -> Int {
        let now = sources.now()
        var record = ProviderRequestRecord(
            number: 0,
            at: now,
            token: target.token,
            fault: fault,
            connection: request.connectionNumber,
            openStreams: request.openStreams,
            streamLimit: request.streamLimit,
            headers: request.content?.headers,
            body: request.content?.body
        )
        if let response { record.add(response, at: now) }
        return state.withLock { [record] state in
            state.requestCount += 1
            var record = record
            record.number = state.requestCount
            record.providerToken = state.connections.add(request, at: now)
            let count = response == nil ? nil : incrementResponseCount()
            state.activities[target.namespace, default: SenderActivity(requestCapacity: requestCapacity)]
                .add(record, of: request, responseCount: count)
            return record.number
        }
    }

    /// Records the response of a delayed reply, which is sent now, unless the report was reset in the meantime.
    func recordResponseIfDelayed(_ response: ProviderResponse, of reply: ProviderReply) {
        guard let number = reply.delayedRequestNumber else { return }
        let now = sources.now()
        state.withLock { state in
            let count = incrementResponseCount()
            state.activities[response.target.namespace]?
                .addDelayed(response, to: number, at: now, responseCount: count)
        }
    }

    private func incrementResponseCount() -> Int {
        atomicResponseCount.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
    }

    /// Returns the report about a namespace since its last reset.
    func report(of namespace: Namespace) -> SenderReport {
        state.withLock { $0.activities[namespace]?.report } ?? SenderReport()
    }

    /// Returns the last requests in a namespace since its last reset, in the order in which the gateway decided.
    func recentRequests(in namespace: Namespace) -> [ProviderRequestRecord] {
        state.withLock { $0.activities[namespace]?.recentRequests.records } ?? []
    }

    /// Forgets everything that was recorded in a namespace, and with the standard one, the closed connections.
    func reset(_ namespace: Namespace) {
        state.withLock { state in
            state.activities[namespace] = nil
            if namespace == .standard { state.connections.forgetClosed() }
        }
    }
}

/// The connections of providers.
extension SenderRecorder {
    /// Records that a connection was opened.
    ///
    /// - Parameters:
    ///   - number: its number.
    ///   - version: its protocol.
    ///   - handler: lets faults happen on it.
    /// - Returns: the limit of streams that a fault has set before, if any.
    func open(
        _ number: Int,
        _ version: ProviderProtocol,
        handler: @escaping OpenProviderConnections.Handler
    ) -> Int? {
        let now = sources.now()
        state.withLock { $0.connections.open(number, version, at: now) }
        return openConnections.add(number, handler)
    }

    /// Records that a connection was closed.
    func close(_ number: Int) {
        openConnections.remove(number)
        let now = sources.now()
        state.withLock { $0.connections.close(number, at: now) }
    }

    /// Records an event of a connection.
    ///
    /// - Parameters:
    ///   - kind: the kind of the event.
    ///   - number: the number of the connection.
    ///   - streams: the announced limit of streams.
    ///   - reason: the reason in a GOAWAY frame.
    func record(
        _ kind: ProviderConnectionEvent.Kind,
        on number: Int,
        streams: Int? = nil,
        reason: RejectionReason? = nil
    ) {
        let event = ProviderConnectionEvent(kind, at: sources.now(), streams: streams, reason: reason)
        state.withLock { $0.connections.add(event, to: number) }
    }

    /// Returns the last connections, in the order in which they were opened.
    func recentConnections() -> [ProviderConnectionRecord] {
        state.withLock { $0.connections.records }
    }
}

/// `/v1/sender`: the report about the behavior of providers, their last requests and their connections.
struct SenderRoutes {
    let senders: SenderRecorder

    func add(to router: Router<ServiceContext>) {
        router.get("v1/sender") { request, _ in
            try JSONResponse.make(senders.report(of: try request.namespace))
        }
        router.delete("v1/sender") { request, _ in
            senders.reset(try request.namespace)
            return Response(status: .noContent)
        }
        router.get("v1/sender/requests") { request, _ in
            try JSONResponse.make(senders.recentRequests(in: try request.namespace))
        }
        router.get("v1/sender/connections") { _, _ in try JSONResponse.make(senders.recentConnections()) }
        router.post("v1/sender/connections/faults") { request, _ in
            let fault = try await JSONBody.decode(ConnectionFault.self, from: request)
            try fault.check()
            return try JSONResponse.make(await senders.openConnections.affect(fault))
        }
    }
}
