internal import Hummingbird
internal import LocalService
internal import NIOCore
internal import Synchronization
internal import WaypostSchema

/// The recorder of the behavior of providers, for tests of a provider.
///
/// A gateway keeps it in memory only, and records only its own requests.
final class SenderRecorder: Sendable {
    private let activities = Mutex<[Namespace: SenderActivity]>([:])

    /// The number of responses; requests read it without the lock when they arrive.
    private let atomicResponseCount = Atomic<Int>(0)

    private let connectionCount = Atomic<Int>(0)

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
        reply.isRecordedLater = reply.delay > .zero
        let status = reply.isRecordedLater ? nil : response.status
        record(request, for: response.target, status: status)
        return reply
    }

    /// Records a request that gets no response, and returns the reply.
    func record(
        _ action: ProviderReply.Action,
        to request: SentRequest?,
        for target: SendTarget
    ) -> ProviderReply {
        if let request { record(request, for: target, status: nil) }
        return ProviderReply(action)
    }

    /// Records the response of a delayed reply, which is sent now.
    func recordResponseIfDelayed(_ response: ProviderResponse, of reply: ProviderReply) {
        guard reply.isRecordedLater else { return }
        let target = response.target
        activities.withLock { activities in
            let count = incrementResponseCount()
            activities[target.namespace, default: SenderActivity()]
                .recordResponse(response.status, for: target.token, at: count)
        }
    }

    private func record(_ request: SentRequest, for target: SendTarget, status: Int?) {
        activities.withLock { activities in
            activities[target.namespace, default: SenderActivity()].recordRequest(request, for: target.token)
            guard let status else { return }
            let count = incrementResponseCount()
            activities[target.namespace, default: SenderActivity()].recordResponse(status, for: target.token, at: count)
        }
    }

    private func incrementResponseCount() -> Int {
        atomicResponseCount.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
    }

    /// Returns the report about a namespace since its last reset.
    func report(of namespace: Namespace) -> SenderReport {
        activities.withLock { $0[namespace]?.report } ?? SenderReport()
    }

    /// Forgets everything that was recorded in a namespace.
    func reset(_ namespace: Namespace) {
        _ = activities.withLock { $0.removeValue(forKey: namespace) }
    }
}

/// `/v1/sender`: the report about the behavior of providers.
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
    }
}
