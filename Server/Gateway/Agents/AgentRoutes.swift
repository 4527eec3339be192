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

    /// The time in which an agent must respond; the waits of its own API are shorter.
    private static let responseTimeout = Duration.seconds(90)

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
            try LinkedAgents.validate(announcement)
            let agent = LinkedAgent(id: AgentLinkID(rawValue: sources.makeUUID()), announcement)
            return stream(of: try links.add(agent, to: try request.namespace), context)
        }
        router.post("v1/agents/:id/answers/:number") { request, context in
            try await receiveResponse(request, context)
        }
        for method in Self.methods {
            router.on("v1/agents/:id/control/**", method: method) { request, context in
                try await relay(request, context)
            }
        }
    }

    /// Returns the stream of an agent: `event: linked`, and then `event: request` for each request.
    private func stream(of link: AgentLink, _ context: ServiceContext) -> Response {
        ServerSentEventText.response { writer in
            let agent = link.agent
            // The link must not be released before.
            defer { links.remove(link.agent.id) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    await context.waitForDisconnect()
                    links.remove(agent.id)
                }
                group.addTask {
                    while true {
                        try await Task.sleep(for: Self.heartbeatInterval)
                        links.sendHeartbeat(to: agent.id)
                    }
                }
                try await writer.write(try ServerSentEventText.make("linked", agent))
                for await event in link.events.cancelOnGracefulShutdown() {
                    let frame =
                        switch event {
                        case .request(let request): try ServerSentEventText.make("request", request)
                        case .heartbeat: ByteBuffer(string: ServerSentEventText.heartbeat)
                        }
                    try await ServerSentEventText.write(frame, to: &writer)
                    if case .request(let request) = event { links.recordRead(request, by: agent.id) }
                }
                group.cancelAll()
            }
        }
    }

    /// Receives the response of an agent: `Waypost-Status` contains the status; the content type and the body are
    /// those of the response.
    private func receiveResponse(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let id = AgentLinkID(rawValue: try context.pathComponent("id"))
        let name = try context.pathComponent("number")
        guard let code = request.headers[.waypostStatus].flatMap(Int.init), (200...599).contains(code) else {
            throw RequestError.badParameter(name: "Waypost-Status", "send the status of the answer, from 200 to 599")
        }
        var headers: HTTPFields = [
            .cacheControl: "no-store", .contentSecurityPolicy: ContentSecurityPolicy.agentAnswer,
            .xContentTypeOptions: "nosniff",
        ]
        headers[.contentType] = request.headers[.contentType]
        let response = RelayedResponse(status: .init(code: code), headers: headers)
        guard let number = Int(name), links.respond(to: number, of: id, with: response) else {
            throw GatewayError.unknownRelayedRequest(name)
        }
        // The error makes the agent stop sending the rest.
        guard await response.forward(request.body) else { throw GatewayError.unknownRelayedRequest(name) }
        return Response(status: .noContent)
    }

    /// Sends a request to the control API of an agent, and returns its response.
    private func relay(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let id = AgentLinkID(rawValue: try context.pathComponent("id"))
        let body = try await JSONBody.bytes(of: request, maximumSize: RelayedRequest.maximumBodySize)
        guard let string = String(validating: body, as: UTF8.self) else {
            throw RequestError.malformedBody("the body is not UTF-8")
        }
        let responses = try links.send(
            RelayedRequest(
                number: 0,
                method: request.method.rawValue,
                path: Self.controlPath(in: request.uri.string),
                authorization: request.headers[.waypostControlToken].map { "Bearer \($0)" },
                accept: request.headers[.accept],
                body: string.isEmpty ? nil : string
            ),
            to: id,
            in: try request.namespace
        )
        guard let response = try await Self.first(of: responses, for: context) else { throw GatewayError.noAnswer(id) }
        guard !response.hasNoContent else {
            response.stop()
            return Response(status: response.status)
        }
        guard response.isPassedOn else {
            response.stop()
            throw response.isMissing ? GatewayError.noAnswer(id) : .badAgentAnswer(id, response.headers[.contentType])
        }
        return Response(status: response.status, headers: response.headers, body: Self.body(of: response, for: context))
    }

    /// Returns what follows `/v1/agents/ID/control` in the URL of a request.
    static func controlPath(in url: String) -> String {
        let parts = url.split(separator: "/", maxSplits: 4, omittingEmptySubsequences: true)
        return "/" + (parts.count > 4 ? parts[4] : "")
    }

    /// Returns the response, or `nil` if the agent does not respond in time or the caller disconnects.
    private static func first(
        of responses: AsyncStream<RelayedResponse>,
        for context: ServiceContext
    ) async throws -> RelayedResponse? {
        try await cancelWhenGracefulShutdown {
            try await withThrowingTaskGroup(of: RelayedResponse?.self) { group in
                group.addTask { await responses.first { _ in true } }
                group.addTask {
                    try? await Task.sleep(for: responseTimeout)
                    return nil
                }
                group.addTask {
                    await context.waitForDisconnect()
                    return nil
                }
                defer { group.cancelAll() }
                return try await group.next() ?? nil
            }
        }
    }

    private static func body(of response: RelayedResponse, for context: ServiceContext) -> ResponseBody {
        ResponseBody { writer in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    await context.waitForDisconnect()
                    response.stop()
                }
                defer { group.cancelAll() }
                for try await chunk in response.chunks.cancelOnGracefulShutdown() { try await writer.write(chunk) }
            }
            try await writer.finish(nil)
        }
    }
}
