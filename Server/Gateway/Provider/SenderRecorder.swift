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

    private struct State {
        var activities: [Namespace: SenderActivity] = [:]

        /// The number of requests in all namespaces.
        var requestCount = 0
    }

    init(sources: GatewaySources) {
        self.sources = sources
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
        var reply = ProviderReply(response)
        reply.delay = delay
        reply = reply.modified(by: fault)
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
        var record = ProviderRequestRecord(number: 0, at: sources.now(), token: target.token, fault: fault)
        if let response { record.add(response) }
        return state.withLock { [record] state in
            state.requestCount += 1
            var record = record
            record.number = state.requestCount
            let count = response == nil ? nil : incrementResponseCount()
            state.activities[target.namespace, default: SenderActivity()].add(record, of: request, responseCount: count)
            return record.number
        }
    }

    /// Records the response of a delayed reply, which is sent now, unless the report was reset in the meantime.
    func recordResponseIfDelayed(_ response: ProviderResponse, of reply: ProviderReply) {
        guard let number = reply.delayedRequestNumber else { return }
        state.withLock { state in
            let count = incrementResponseCount()
            state.activities[response.target.namespace]?.addDelayed(response, to: number, responseCount: count)
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

    /// Forgets everything that was recorded in a namespace.
    func reset(_ namespace: Namespace) {
        _ = state.withLock { $0.activities.removeValue(forKey: namespace) }
    }
}

/// `/v1/sender`: the report about the behavior of providers, and their last requests.
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
    }
}
