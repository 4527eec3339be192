import AsyncHTTPClient
import Foundation
import GatewayClient
import GatewayTestSupport
import NIOCore
import NIOHTTP1
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import Gateway

/// `/v1/agents`: the control APIs of agents, through the gateway.
@Suite(.timeLimit(.minutes(5))) struct AgentLinkTests {
    /// Runs a gateway with a linked agent, which answers requests with `perform`.
    private static func withAgent(
        in namespace: Namespace? = nil,
        perform: @escaping @Sendable (RelayedRequest) async -> HTTPClientResponse?,
        _ body: @escaping @Sendable (RunningGateway, LinkedAgent) async throws -> Void
    ) async throws {
        try await RunningGateway.run { gateway in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await link(gateway, in: namespace, perform: perform) }
                let agent = try await agents(of: gateway, in: namespace, count: 1)[0]
                try await body(gateway, agent)
                group.cancelAll()
                while let outcome = await group.nextResult() {
                    if case .failure(let error) = outcome, !(error is CancellationError) {
                        #expect(error as? CallError == .canceled, "\(error)")
                    }
                }
            }
        }
    }

    private static func link(
        _ gateway: RunningGateway,
        in namespace: Namespace? = nil,
        perform: @escaping @Sendable (RelayedRequest) async -> HTTPClientResponse?
    ) async throws {
        let client = GatewayClient(
            gateway.http,
            service: gateway.ready.service,
            courier: gateway.ready.courier,
            namespace: namespace
        )
        let announcement = AgentAnnouncement(control: "http://127.0.0.1:1", version: "9", requiresToken: true)
        try await client.link(announcement, onOpen: {}, perform: perform)
    }

    /// Returns the linked agents, once there are `count`.
    private static func agents(
        of gateway: RunningGateway,
        in namespace: Namespace? = nil,
        count: Int
    ) async throws -> [LinkedAgent] {
        var agents: [LinkedAgent] = []
        try await waitUntil("there are \(count) agents") {
            let list: LinkedAgentList = try await gateway.get("/v1/agents", in: namespace)
            agents = list.agents
            return agents.count == count
        }
        return agents
    }

    /// Returns an answer of an agent.
    private static func answer(_ status: HTTPResponseStatus, _ text: String) -> HTTPClientResponse {
        HTTPClientResponse(
            status: status,
            headers: ["content-type": "application/json"],
            body: .bytes(ByteBuffer(string: text))
        )
    }

    @Test func agentIsListedWithWhatItAnnounces() async throws {
        try await Self.withAgent(in: "run") { _ in
            nil
        } _: { gateway, agent in
            #expect(agent.control == "http://127.0.0.1:1")
            #expect(agent.version == "9")
            #expect(agent.requiresToken)
            let elsewhere: LinkedAgentList = try await gateway.get("/v1/agents")
            #expect(elsewhere.agents.isEmpty)
            let path = "/v1/agents/\(agent.id)/control/v1/devices"
            #expect(try await gateway.service(.GET, path).error.code == "unknownAgent")
        }
    }

    @Test func requestReachesTheAgentAndItsAnswerTheCaller() async throws {
        try await Self.withAgent { request in
            Self.answer(.created, (try? String(decoding: JSONEncoder().encode(request), as: UTF8.self)) ?? "")
        } _: { gateway, agent in
            let answer = try await gateway.service(
                .PUT,
                "/v1/agents/\(agent.id)/control/v1/devices/an%20iPad/events?wait=1&x=%2F",
                headers: [("waypost-control-token", "secret"), ("accept", "a/b")],
                body: Array(#"{"text":"🤡"}"#.utf8)
            )
            #expect(answer.status == 201)
            let request: RelayedRequest = try answer.decoded()
            #expect(request.method == "PUT")
            #expect(request.path == "/v1/devices/an%20iPad/events?wait=1&x=%2F")
            #expect(request.authorization == "Bearer secret")
            #expect(request.accept == "a/b")
            #expect(request.body == #"{"text":"🤡"}"#)
        }
    }

    @Test func requestWithPhotographsReachesTheAgent() async throws {
        try await Self.withAgent { request in
            Self.answer(.ok, "\(request.body?.utf8.count ?? 0)")
        } _: { gateway, agent in
            let path = "/v1/agents/\(agent.id)/control/v1/devices/iPad/events"
            // Quotation marks are longer in the event that has the request.
            let body = [UInt8](repeating: UInt8(ascii: "\""), count: 2 << 20)
            let answer = try await gateway.service(.POST, path, body: body)
            #expect(String(decoding: answer.body, as: UTF8.self) == "\(body.count)")
            let large = [UInt8](repeating: UInt8(ascii: "a"), count: RelayedRequest.maximumBodySize + 1)
            let refusal = try await gateway.service(.POST, path, body: large)
            #expect(refusal.status == 413)
            #expect(try refusal.error.code == "bodyTooLarge")
        }
    }

    @Test func agentWithoutAnAnswerIs502() async throws {
        try await Self.withAgent { _ in
            nil
        } _: { gateway, agent in
            let answer = try await gateway.service(.GET, "/v1/agents/\(agent.id)/control/v1/devices")
            #expect(answer.status == 502)
        }
    }

    @Test(
        arguments: [
            "text/html", "text/html; charset=utf-8", "application/xhtml+xml", "text/javascript", "image/svg", "", "*/*",
            "application/json, text/html", "application/json;, text/html",
            "application/json; charset=utf-8, text/html", nil,
        ] as [String?]
    )
    func answerThatABrowserMayRunIs502(_ type: String?) async throws {
        try await Self.withAgent { _ in
            HTTPClientResponse(
                headers: HTTPHeaders(type.map { [("content-type", $0)] } ?? []),
                body: .bytes(ByteBuffer(string: "<script>alert(document.domain)</script>"))
            )
        } _: { gateway, agent in
            let answer = try await gateway.service(.GET, "/v1/agents/\(agent.id)/control/v1/devices")
            #expect(answer.status == 502)
            #expect(try answer.error.code == "badAgentAnswer")
        }
    }

    @Test(arguments: ["application/json", "IMAGE/SVG+XML", "image/svg+xml; charset=utf-8", "text/event-stream"])
    func answerRunsNoScriptInABrowser(_ type: String) async throws {
        try await Self.withAgent { _ in
            HTTPClientResponse(
                status: .badRequest,
                headers: ["content-type": type],
                body: .bytes(ByteBuffer(string: "<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>"))
            )
        } _: { gateway, agent in
            let request = HTTPClientRequest(url: gateway.ready.service + "/v1/agents/\(agent.id)/control/v1/a.svg")
            let answer = try await gateway.http.execute(request, timeout: .minutes(1))
            #expect(answer.status == .badRequest)
            #expect(answer.headers["content-type"] == [type])
            #expect(answer.headers["x-content-type-options"] == ["nosniff"])
            let policy = answer.headers.first(name: "content-security-policy") ?? ""
            #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; "))
            #expect(policy.hasSuffix("; sandbox"))
        }
    }

    @Test func answerWithoutContentHasNone() async throws {
        try await Self.withAgent { _ in
            Self.answer(.noContent, "HTTP/1.1 200 OK")
        } _: { gateway, agent in
            let answer = try await gateway.service(.DELETE, "/v1/agents/\(agent.id)/control/v1/devices/iPad")
            #expect(answer.status == 204)
            #expect(answer.body.isEmpty)
        }
    }

    @Test func answerArrivesWhileTheAgentStillWritesIt() async throws {
        let (pieces, piece) = AsyncStream.makeStream(of: ByteBuffer.self)
        try await Self.withAgent { _ in
            HTTPClientResponse(headers: ["content-type": "text/event-stream"], body: .stream(pieces))
        } _: { gateway, agent in
            var request = HTTPClientRequest(url: gateway.ready.service + "/v1/agents/\(agent.id)/control/v1/events")
            request.headers.add(name: "accept", value: "text/event-stream")
            piece.yield(ByteBuffer(string: "one"))
            let answer = try await gateway.http.execute(request, timeout: .minutes(1))
            #expect(answer.headers.first(name: "content-type") == "text/event-stream")
            var body = answer.body.makeAsyncIterator()
            #expect(try await body.next().map(String.init(buffer:)) == "one")
            piece.yield(ByteBuffer(string: "two"))
            #expect(try await body.next().map(String.init(buffer:)) == "two")
            piece.finish()
            #expect(try await body.next() == nil)
        }
    }

    @Test func agentLearnsThatItsCallerIsGone() async throws {
        let (pieces, piece) = AsyncStream.makeStream(of: ByteBuffer.self)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        piece.onTermination = { _ in end.finish() }
        try await Self.withAgent { _ in
            HTTPClientResponse(headers: ["content-type": "text/event-stream"], body: .stream(pieces))
        } _: { gateway, agent in
            let http = HTTPClient(eventLoopGroupProvider: .singleton)
            piece.yield(ByteBuffer(string: "one"))
            let request = HTTPClientRequest(url: gateway.ready.service + "/v1/agents/\(agent.id)/control/v1/events")
            let answer = try await http.execute(request, timeout: .minutes(1))
            var body = answer.body.makeAsyncIterator()
            _ = try await body.next()
            // This closes the connection.
            try await http.shutdown()
            for await _ in ends {}
        }
    }

    @Test func callerOfAnAgentThatLeavesGets502() async throws {
        let (calls, call) = AsyncStream.makeStream(of: Void.self)
        try await RunningGateway.run { gateway in
            let agent = Task {
                try await Self.link(gateway) { _ in
                    call.finish()
                    try? await Task.sleep(for: .seconds(3_600))
                    return nil
                }
            }
            let id = try await Self.agents(of: gateway, count: 1)[0].id
            async let answer = gateway.service(.GET, "/v1/agents/\(id)/control/v1/devices")
            for await _ in calls {}
            agent.cancel()
            #expect(try await answer.error.code == "noAnswer")
            _ = try await Self.agents(of: gateway, count: 0)
            _ = await agent.result
        }
    }

    @Test(arguments: ["1", "x", "99999999999999999999"])
    func answerThatNobodyWaitsForIsNotFound(_ number: String) async throws {
        try await Self.withAgent { _ in
            nil
        } _: { gateway, agent in
            let path = "/v1/agents/\(agent.id)/answers/\(number)"
            let answer = try await gateway.service(.POST, path, headers: [("waypost-status", "200")])
            #expect(answer.status == 404)
            #expect(try answer.error.code == "unknownRelayedRequest")
            let unclear = try await gateway.service(.POST, path, headers: [("waypost-status", "99")])
            #expect(unclear.status == 400)
        }
    }

    @Test(arguments: [
        ("/v1/agents/a/control/v1/devices", "/v1/devices"),
        ("/v1/agents/a/control/v1/devices/x%2Fy?q=1/2", "/v1/devices/x%2Fy?q=1/2"),
        ("/v1/agents/a/control", "/"), ("/v1/agents/a/control/", "/"),
    ])
    func pathAfterControlIsThatOfTheAgent(_ url: String, _ path: String) {
        #expect(AgentRoutes.controlPath(in: url) == path)
    }

    @Test func followersOfTheActivityLearnAboutAgents() async throws {
        try await RunningGateway.run { gateway in
            var activity = try await gateway.followActivity()
            #expect(try await activity.next("agents") == #"{"agents":[]}"#)
            let agent = Task { try await Self.link(gateway) { _ in nil } }
            let linked = try #require(try await activity.next("agentLinked"))
            #expect(linked.contains(#""version":"9""#))
            agent.cancel()
            #expect(try await activity.next("agentLeft") == linked)
            let device = try await gateway.device()
            try await gateway.send(line(device.token))
            #expect(try await activity.next("notification") != nil)
            _ = await agent.result
        }
    }

    @Test(arguments: ["control", "version"])
    func fieldOverItsLimitIsRefusedByName(_ field: String) async throws {
        let announcement = AgentAnnouncement(
            control: field == "control" ? String(repeating: "a", count: 501) : "http://127.0.0.1:1",
            version: field == "version" ? String(repeating: "é", count: 51) : "9",
            requiresToken: true
        )
        try await RunningGateway.run { gateway in
            let answer = try await gateway.service(.POST, "/v1/agents/link", announcement)
            #expect(answer.status == 400)
            let error = try answer.error
            #expect(error.code == "malformedBody")
            #expect(error.message.hasPrefix("\(field): "))
            let list: LinkedAgentList = try await gateway.get("/v1/agents")
            #expect(list.agents.isEmpty)
        }
    }

    @Test func agentLeavesWhenItsLinkIsReleased() throws {
        let links = AgentLinks()
        let agent = LinkedAgent(id: "a", AgentAnnouncement(control: "http://a", version: "1", requiresToken: false))
        var link: AgentLink? = try links.add(agent, to: .standard)
        #expect(links.list(in: .standard) == [agent])
        #expect(link?.agent == agent)
        link = nil
        #expect(links.list(in: .standard).isEmpty)
    }

    @Test func oneMoreAgentThanTheMaximumIsRefused() throws {
        let links = AgentLinks()
        let announcement = AgentAnnouncement(control: "http://a", version: "1", requiresToken: false)
        var others = try (0..<LinkedAgents.maximumCount).map { number in
            try links.add(LinkedAgent(id: AgentLinkID(rawValue: "\(number)"), announcement), to: "run")
        }
        let another = LinkedAgent(id: "another", announcement)
        #expect(throws: GatewayError.tooManyAgents(limit: LinkedAgents.maximumCount)) {
            _ = try links.add(another, to: .standard)
        }
        others.removeLast()
        let link = try links.add(another, to: .standard)
        // An agent leaves when its link is released.
        withExtendedLifetime((others, link)) {
            #expect(links.list(in: .standard) == [another])
            #expect(links.list(in: "run").count == LinkedAgents.maximumCount - 1)
        }
    }
}
