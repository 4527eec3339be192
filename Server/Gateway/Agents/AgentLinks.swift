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

    private struct PendingRequest {
        let link: AgentLinkID
        let response: AsyncStream<RelayedResponse>.Continuation
    }

    /// The recipient of a request.
    private enum Recipient {
        /// No such agent is linked.
        case unknown

        /// The agent has not read enough of the earlier requests.
        case behind

        /// The stream of the agent, and the number of the request.
        case agent(AsyncStream<LinkEvent>.Continuation, number: Int)
    }

    private struct State {
        var agents = LinkedAgents()

        /// The events of the agents' streams.
        var events: [AgentLinkID: AsyncStream<LinkEvent>.Continuation] = [:]
        var pendingRequests: [Int: PendingRequest] = [:]
        var lastRequestNumber = 0
    }

    /// The maximum number of events that wait for an agent to read them.
    private static let capacity = 100

    private let state = Mutex(State())

    /// Notifies waiters when an agent links itself or leaves.
    let changes = ChangeNotifier<Namespace>()

    /// Adds an agent, which stays until `remove`, or until the link is released.
    ///
    /// - Throws: `GatewayError.tooManyAgents`.
    func add(_ agent: LinkedAgent, to namespace: Namespace) throws(GatewayError) -> AgentLink {
        let (events, continuation) = AsyncStream.makeStream(
            of: LinkEvent.self,
            bufferingPolicy: .bufferingOldest(Self.capacity)
        )
        let isAdded = state.withLock { state in
            guard state.agents.add(agent, to: namespace) else { return false }
            state.events[agent.id] = continuation
            return true
        }
        guard isAdded else { throw .tooManyAgents(limit: LinkedAgents.maximumCount) }
        changes.notify([namespace])
        return AgentLink(agent, events) { [weak self] in self?.remove(agent.id) }
    }

    /// Removes an agent: its stream ends, and requests that wait for its response get none.
    func remove(_ id: AgentLinkID) {
        let (namespace, events, abandonedRequests) = state.withLock { state in
            let abandonedRequests = state.pendingRequests.filter { $0.value.link == id }
            for number in abandonedRequests.keys { state.pendingRequests[number] = nil }
            return (state.agents.remove(id), state.events.removeValue(forKey: id), Array(abandonedRequests.values))
        }
        for request in abandonedRequests { request.response.finish() }
        events?.finish()
        if let namespace { changes.notify([namespace]) }
    }

    /// Makes the stream of an agent write a heartbeat.
    func sendHeartbeat(to id: AgentLinkID) {
        let events = state.withLock { $0.events[id] }
        events?.yield(.heartbeat)
    }

    /// Returns the agents of a namespace, in the order in which they linked themselves.
    func list(in namespace: Namespace) -> [LinkedAgent] {
        state.withLock { $0.agents.list(in: namespace) }
    }

    /// Returns what a follower of a namespace's agents has not read (`LinkedAgents.update`).
    func update(after place: Int?, in namespace: Namespace) -> (update: LinkedAgents.Update, place: Int) {
        state.withLock { $0.agents.update(after: place, in: namespace) }
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
        let recipient = state.withLock { state -> Recipient in
            guard state.agents.contains(id, in: namespace), let events = state.events[id] else { return .unknown }
            guard state.agents.addUnreadRequest(request.size, of: id) else { return .behind }
            state.lastRequestNumber += 1
            state.pendingRequests[state.lastRequestNumber] = PendingRequest(link: id, response: response)
            return .agent(events, number: state.lastRequestNumber)
        }
        switch recipient {
        case .unknown: throw .unknownAgent(id)
        case .behind: throw .noAnswer(id)
        case .agent(let events, let number):
            response.onTermination = { [weak self] _ in self?.state.withLock { $0.pendingRequests[number] = nil } }
            var request = request
            request.number = number
            guard case .enqueued = events.yield(.request(request)) else {
                recordRead(request, by: id)
                response.finish()
                throw .noAnswer(id)
            }
            return responses
        }
    }

    /// Records that an agent has read a request, so that there is room for others.
    func recordRead(_ request: RelayedRequest, by id: AgentLinkID) {
        state.withLock { $0.agents.removeUnreadRequest(request.size, of: id) }
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

/// The link of an agent; the agent leaves when the value is released.
final class AgentLink: Sendable {
    let agent: LinkedAgent

    /// The events of the agent's stream, which ends when the agent leaves.
    let events: AsyncStream<AgentLinks.LinkEvent>

    private let onRelease: @Sendable () -> Void

    fileprivate init(
        _ agent: LinkedAgent,
        _ events: AsyncStream<AgentLinks.LinkEvent>,
        onRelease: @escaping @Sendable () -> Void
    ) {
        self.agent = agent
        self.events = events
        self.onRelease = onRelease
    }

    deinit {
        onRelease()
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

    /// The media types of responses that are passed on: those of control APIs.
    ///
    /// Any program can link itself. A browser would run the script of a page that it sends, on the origin of the
    /// console.
    private static let mediaTypes: Set<String> = ["application/json", "image/svg+xml", "text/event-stream"]

    /// Whether the response is of a media type that is passed on.
    var isPassedOn: Bool {
        // A browser takes the last of several types (Fetch, "extract a MIME type").
        guard let value = headers[.contentType], !value.contains(","), let type = value.split(separator: ";").first
        else { return false }
        return Self.mediaTypes.contains(type.filter { $0 != " " && $0 != "\t" }.lowercased())
    }

    /// Whether a response with the status has no content (RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5).
    var hasNoContent: Bool {
        [204, 205, 304].contains(status.code)
    }

    /// Whether the agent says that its control API did not respond.
    var isMissing: Bool {
        status == .badGateway && headers[.contentType] == nil
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

extension RelayedRequest {
    /// The size of the parts that a caller chooses, in bytes.
    fileprivate var size: Int {
        [path, authorization, accept, body].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    }
}
