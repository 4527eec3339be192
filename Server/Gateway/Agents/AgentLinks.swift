internal import HTTPTypes
internal import Hummingbird
internal import LocalService
internal import NIOCore
internal import Synchronization
internal import WaypostSchema

/// The agents whose control APIs can be called through this gateway.
///
/// An agent opens a stream of requests, and sends each response in a request of its own. The gateway never connects to
/// an agent: the agent may run on another machine or have only a Unix domain socket, and the gateway must not call an
/// address that somebody else chose.
final class AgentLinks: Sendable {
    /// An event on the stream of an agent.
    enum LinkEvent: Sendable {
        case request(RelayedRequest)
        case heartbeat
    }

    private struct Link: Sendable {
        let namespace: Namespace
        let agent: LinkedAgent
        let events: AsyncStream<LinkEvent>.Continuation
    }

    private struct PendingRequest {
        let link: AgentLinkID
        let response: AsyncStream<RelayedResponse>.Continuation
    }

    private struct State {
        var links: [Link] = []
        var pendingRequests: [Int: PendingRequest] = [:]
        var lastRequestNumber = 0
    }

    /// The maximum number of events that wait for an agent to read them.
    private static let capacity = 100

    private let state = Mutex(State())

    /// Notifies waiters when an agent links itself or leaves.
    let changes = ChangeNotifier<Namespace>()

    /// Adds an agent, and returns the events of its stream, which ends with `remove`.
    func add(_ agent: LinkedAgent, to namespace: Namespace) -> AsyncStream<LinkEvent> {
        let (events, continuation) = AsyncStream.makeStream(
            of: LinkEvent.self,
            bufferingPolicy: .bufferingOldest(Self.capacity)
        )
        state.withLock { $0.links.append(Link(namespace: namespace, agent: agent, events: continuation)) }
        changes.notify([namespace])
        return events
    }

    /// Removes an agent: its stream ends, and requests that wait for its response get none.
    func remove(_ id: AgentLinkID) {
        let (link, abandonedRequests) = state.withLock { state in
            let link = state.links.first { $0.agent.id == id }
            state.links.removeAll { $0.agent.id == id }
            let abandonedRequests = state.pendingRequests.filter { $0.value.link == id }
            for number in abandonedRequests.keys { state.pendingRequests[number] = nil }
            return (link, Array(abandonedRequests.values))
        }
        for request in abandonedRequests { request.response.finish() }
        guard let link else { return }
        link.events.finish()
        changes.notify([link.namespace])
    }

    /// Makes the stream of an agent write a heartbeat.
    func sendHeartbeat(to id: AgentLinkID) {
        let link = state.withLock { $0.links.first { $0.agent.id == id } }
        link?.events.yield(.heartbeat)
    }

    /// Returns the agents of a namespace, in the order in which they linked themselves.
    func list(in namespace: Namespace) -> [LinkedAgent] {
        state.withLock { $0.links.filter { $0.namespace == namespace }.map(\.agent) }
    }

    /// Sends a request to an agent.
    ///
    /// - Parameters:
    ///   - request: the request, whose number is replaced.
    ///   - id: the agent.
    ///   - namespace: the namespace of the agent.
    /// - Returns: a stream with the response; it ends without one if the agent leaves.
    /// - Throws: `GatewayError.unknownAgent` if no such agent is linked, `noAnswer` if it does not read its requests.
    func send(
        _ request: RelayedRequest,
        to id: AgentLinkID,
        in namespace: Namespace
    ) throws(GatewayError) -> AsyncStream<RelayedResponse> {
        let (responses, response) = AsyncStream.makeStream(of: RelayedResponse.self)
        let target = state.withLock { state -> (events: AsyncStream<LinkEvent>.Continuation, number: Int)? in
            guard let link = state.links.first(where: { $0.agent.id == id && $0.namespace == namespace }) else {
                return nil
            }
            state.lastRequestNumber += 1
            state.pendingRequests[state.lastRequestNumber] = PendingRequest(link: id, response: response)
            return (link.events, state.lastRequestNumber)
        }
        guard let (events, number) = target else { throw .unknownAgent(id) }
        response.onTermination = { [weak self] _ in self?.state.withLock { $0.pendingRequests[number] = nil } }
        var request = request
        request.number = number
        guard case .enqueued = events.yield(.request(request)) else {
            response.finish()
            throw .noAnswer(id)
        }
        return responses
    }

    /// Passes an agent's response to the caller of a request; returns whether the caller still waits for it.
    func respond(to number: Int, of id: AgentLinkID, with response: RelayedResponse) -> Bool {
        let pendingRequest = state.withLock { state in
            state.pendingRequests[number]?.link == id ? state.pendingRequests[number] : nil
        }
        guard let pendingRequest, case .enqueued = pendingRequest.response.yield(response) else { return false }
        pendingRequest.response.finish()
        return true
    }
}

/// The response of an agent to a request that came through the gateway.
struct RelayedResponse: Sendable {
    /// The maximum number of chunks that wait for a slow caller; above it, the response ends.
    private static let capacity = 1_000

    let status: HTTPResponse.Status
    let headers: HTTPFields

    /// The body, in chunks as they arrive.
    let chunks: AsyncThrowingStream<ByteBuffer, any Error>

    private let continuation: AsyncThrowingStream<ByteBuffer, any Error>.Continuation
    private let readerEnd: AsyncStream<Void>

    init(status: HTTPResponse.Status, headers: HTTPFields) {
        self.status = status
        self.headers = headers
        (chunks, continuation) = AsyncThrowingStream.makeStream(bufferingPolicy: .bufferingOldest(Self.capacity))
        let (readerEnd, end) = AsyncStream.makeStream(of: Void.self)
        self.readerEnd = readerEnd
        continuation.onTermination = { _ in end.finish() }
    }

    /// Ends the response, because the caller no longer reads it.
    func stop() {
        continuation.finish()
    }

    /// Forwards the agent's body to the caller until the body ends or the caller stops reading.
    ///
    /// - Returns: whether the whole body was forwarded.
    func forward(_ body: RequestBody) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask { await forwardChunks(of: body) }
            group.addTask {
                for await _ in readerEnd {}
                return false
            }
            defer { group.cancelAll() }
            let isComplete = await group.next() ?? false
            continuation.finish()
            return isComplete
        }
    }

    private func forwardChunks(of body: RequestBody) async -> Bool {
        do {
            for try await chunk in body {
                guard case .enqueued = continuation.yield(chunk) else {
                    // A caller that is too slow must not mistake the response for a complete one.
                    continuation.finish(throwing: CancellationError())
                    return false
                }
            }
            return true
        } catch {
            continuation.finish(throwing: error)
            return false
        }
    }
}
