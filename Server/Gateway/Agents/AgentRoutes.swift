internal import HTTPTypes
internal import Hummingbird
internal import LocalService
internal import NIOCore
internal import ServiceLifecycle
internal import WaypostSchema

/// `/v1/agents`: the agents that are linked to this gateway, and their control APIs.
struct AgentRoutes {
    /// The time between two comments on the stream of an agent, which show both ends that the connection is alive.
    private static let heartbeatInterval = Duration.seconds(15)

    /// The longest time until an agent answers; its own waits are shorter.
    private static let maximumWait = Duration.seconds(90)

    /// The methods of control APIs.
    private static let methods: [HTTPRequest.Method] = [.get, .post, .put, .delete]

    let links: AgentLinks
    let sources: GatewaySources

    func add(to router: Router<ServiceContext>) {
        router.get("v1/agents") { request, _ in
            try JSONResponse.make(LinkedAgentList(agents: links.list(in: try request.namespace)))
        }
        router.post("v1/agents/link") { request, context in
            let announcement = try await JSONBody.decode(AgentAnnouncement.self, from: request)
            let agent = LinkedAgent(id: AgentLinkID(rawValue: sources.makeUUID()), announcement)
            return stream(of: agent, in: try request.namespace, context)
        }
        router.post("v1/agents/:id/answers/:number") { request, context in
            try await answer(request, context)
        }
        for method in Self.methods {
            router.on("v1/agents/:id/control/**", method: method) { request, context in
                try await relay(request, context)
            }
        }
    }

    /// Returns the stream of an agent: `event: linked`, and then `event: request` for each request.
    private func stream(of agent: LinkedAgent, in namespace: Namespace, _ context: ServiceContext) -> Response {
        ServerSentEventText.response { writer in
            let events = links.add(agent, to: namespace)
            defer { links.remove(agent.id) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    await context.untilClientEnds()
                    links.remove(agent.id)
                }
                group.addTask {
                    while true {
                        try await Task.sleep(for: Self.heartbeatInterval)
                        links.recordHeartbeat(of: agent.id)
                    }
                }
                try await writer.write(try ServerSentEventText.make("linked", agent))
                for await event in events.cancelOnGracefulShutdown() {
                    let text =
                        switch event {
                        case .request(let request): try ServerSentEventText.make("request", request)
                        case .heartbeat: ByteBuffer(string: ServerSentEventText.heartbeat)
                        }
                    try await writer.write(text)
                }
                group.cancelAll()
            }
        }
    }

    /// Takes the answer of an agent: the status is in `Waypost-Status`, and everything else as in the answer itself.
    private func answer(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let id = AgentLinkID(rawValue: try context.part("id"))
        let name = try context.part("number")
        guard let code = request.headers[.waypostStatus].flatMap(Int.init), (200...599).contains(code) else {
            throw RequestError.badParameter(name: "Waypost-Status", "send the status of the answer, from 200 to 599")
        }
        var headers: HTTPFields = [.cacheControl: "no-store"]
        headers[.contentType] = request.headers[.contentType]
        let answer = RelayedAnswer(status: .init(code: code), headers: headers)
        guard let number = Int(name), links.answer(number, of: id, answer) else {
            throw GatewayError.unknownRelayedRequest(name)
        }
        // With an error, the agent stops to send the rest.
        guard await answer.read(request.body) else { throw GatewayError.unknownRelayedRequest(name) }
        return Response(status: .noContent)
    }

    /// Sends a request to the control API of an agent, and returns its answer.
    private func relay(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let id = AgentLinkID(rawValue: try context.part("id"))
        let body = try await JSONBody.bytes(of: request)
        guard let text = String(validating: body, as: UTF8.self) else {
            throw RequestError.malformedBody("the body is not UTF-8")
        }
        let answers = try links.send(
            RelayedRequest(
                number: 0,
                method: request.method.rawValue,
                path: Self.controlPath(in: request.uri.string),
                authorization: request.headers[.waypostControlToken].map { "Bearer \($0)" },
                accept: request.headers[.accept],
                body: text.isEmpty ? nil : text
            ),
            to: id,
            in: try request.namespace
        )
        guard let answer = try await Self.first(of: answers, for: context) else { throw GatewayError.noAnswer(id) }
        return Response(status: answer.status, headers: answer.headers, body: Self.body(of: answer, for: context))
    }

    /// Returns what follows `/v1/agents/ID/control` in the URL of a request.
    static func controlPath(in url: String) -> String {
        let parts = url.split(separator: "/", maxSplits: 4, omittingEmptySubsequences: true)
        return "/" + (parts.count > 4 ? parts[4] : "")
    }

    /// Returns the answer, or `nil` if there is none in time, or the caller is gone.
    private static func first(
        of answers: AsyncStream<RelayedAnswer>,
        for context: ServiceContext
    ) async throws -> RelayedAnswer? {
        try await cancelWhenGracefulShutdown {
            try await withThrowingTaskGroup(of: RelayedAnswer?.self) { group in
                group.addTask { await answers.first { _ in true } }
                group.addTask {
                    try? await Task.sleep(for: maximumWait)
                    return nil
                }
                group.addTask {
                    await context.untilClientEnds()
                    return nil
                }
                defer { group.cancelAll() }
                return try await group.next() ?? nil
            }
        }
    }

    private static func body(of answer: RelayedAnswer, for context: ServiceContext) -> ResponseBody {
        ResponseBody { writer in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    await context.untilClientEnds()
                    answer.stop()
                }
                defer { group.cancelAll() }
                for try await piece in answer.pieces.cancelOnGracefulShutdown() { try await writer.write(piece) }
            }
            try await writer.finish(nil)
        }
    }
}
