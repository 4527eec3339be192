internal import HTTPTypes
internal import Hummingbird
internal import LocalService
internal import NIOCore
internal import Synchronization
internal import WaypostSchema

/// The agents whose control APIs can be called through this gateway.
///
/// An agent opens a stream of requests, and answers each of them with a request of its own. So the gateway needs no way
/// to the agent, which may run on another machine or have only a Unix domain socket, and never calls an address that
/// somebody else chose.
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

    private struct Pending {
        let link: AgentLinkID
        let answer: AsyncStream<RelayedAnswer>.Continuation
    }

    private struct State {
        var links: [Link] = []
        var pending: [Int: Pending] = [:]
        var lastNumber = 0
    }

    /// The maximum number of events that wait for an agent to read them.
    private static let capacity = 100

    private let state = Mutex(State())

    /// Waiters for agents that link themselves or leave.
    let changes = ChangeNotifier<Namespace>()

    /// Adds an agent, and returns the events of its stream, which ends with `remove`.
    func add(_ agent: LinkedAgent, to namespace: Namespace) -> AsyncStream<LinkEvent> {
        let (events, event) = AsyncStream.makeStream(
            of: LinkEvent.self,
            bufferingPolicy: .bufferingOldest(Self.capacity)
        )
        state.withLock { $0.links.append(Link(namespace: namespace, agent: agent, events: event)) }
        changes.notify([namespace])
        return events
    }

    /// Removes an agent: its stream ends, and requests that wait for its answer get none.
    func remove(_ id: AgentLinkID) {
        let (link, abandoned) = state.withLock { state in
            let link = state.links.first { $0.agent.id == id }
            state.links.removeAll { $0.agent.id == id }
            let abandoned = state.pending.filter { $0.value.link == id }
            for number in abandoned.keys { state.pending[number] = nil }
            return (link, Array(abandoned.values))
        }
        for request in abandoned { request.answer.finish() }
        guard let link else { return }
        link.events.finish()
        changes.notify([link.namespace])
    }

    /// Makes the stream of an agent write a heartbeat.
    func recordHeartbeat(of id: AgentLinkID) {
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
    /// - Returns: a stream with the answer; it ends without one if the agent leaves.
    /// - Throws: `GatewayError.unknownAgent` if no such agent is linked, `noAnswer` if it does not read its requests.
    func send(
        _ request: RelayedRequest,
        to id: AgentLinkID,
        in namespace: Namespace
    ) throws(GatewayError) -> AsyncStream<RelayedAnswer> {
        let (answers, answer) = AsyncStream.makeStream(of: RelayedAnswer.self)
        let sent = state.withLock { state -> (events: AsyncStream<LinkEvent>.Continuation, number: Int)? in
            guard let link = state.links.first(where: { $0.agent.id == id && $0.namespace == namespace }) else {
                return nil
            }
            state.lastNumber += 1
            state.pending[state.lastNumber] = Pending(link: id, answer: answer)
            return (link.events, state.lastNumber)
        }
        guard let (events, number) = sent else { throw .unknownAgent(id) }
        answer.onTermination = { [weak self] _ in self?.state.withLock { $0.pending[number] = nil } }
        var request = request
        request.number = number
        guard case .enqueued = events.yield(.request(request)) else {
            answer.finish()
            throw .noAnswer(id)
        }
        return answers
    }

    /// Passes an agent's answer to the request with a number; returns whether anybody waits for it.
    func answer(_ number: Int, of id: AgentLinkID, _ answer: RelayedAnswer) -> Bool {
        let pending = state.withLock { state in
            state.pending[number]?.link == id ? state.pending[number] : nil
        }
        guard let pending, case .enqueued = pending.answer.yield(answer) else { return false }
        pending.answer.finish()
        return true
    }
}

/// The answer of an agent to a request that came through the gateway.
struct RelayedAnswer: Sendable {
    /// The maximum number of pieces that wait for a slow caller; then its answer ends.
    private static let capacity = 1_000

    let status: HTTPResponse.Status
    let headers: HTTPFields

    /// The body, in pieces as they arrive.
    let pieces: AsyncThrowingStream<ByteBuffer, any Error>

    private let piece: AsyncThrowingStream<ByteBuffer, any Error>.Continuation
    private let ends: AsyncStream<Void>

    init(status: HTTPResponse.Status, headers: HTTPFields) {
        self.status = status
        self.headers = headers
        (pieces, piece) = AsyncThrowingStream.makeStream(bufferingPolicy: .bufferingOldest(Self.capacity))
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        self.ends = ends
        piece.onTermination = { _ in end.finish() }
    }

    /// Ends the answer, because nobody reads it any longer.
    func stop() {
        piece.finish()
    }

    /// Passes the agent's body on until its end, or until nobody reads it any longer.
    ///
    /// - Returns: whether the whole body was passed on.
    func read(_ body: RequestBody) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask { await forward(body) }
            group.addTask {
                for await _ in ends {}
                return false
            }
            defer { group.cancelAll() }
            let isWhole = await group.next() ?? false
            piece.finish()
            return isWhole
        }
    }

    private func forward(_ body: RequestBody) async -> Bool {
        do {
            for try await buffer in body {
                guard case .enqueued = piece.yield(buffer) else {
                    // A caller that is too slow must not take the answer for complete.
                    piece.finish(throwing: CancellationError())
                    return false
                }
            }
            return true
        } catch {
            piece.finish(throwing: error)
            return false
        }
    }
}
