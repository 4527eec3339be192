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
@Suite(.timeLimit(.minutes(1))) struct AgentLinkTests {
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

    @Test func agentWithoutAnAnswerIs502() async throws {
        try await Self.withAgent { _ in
            nil
        } _: { gateway, agent in
            let answer = try await gateway.service(.GET, "/v1/agents/\(agent.id)/control/v1/devices")
            #expect(answer.status == 502)
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
            HTTPClientResponse(body: .stream(pieces))
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
            let list = try #require(try await activity.next("agents"))
            #expect(list.contains(#""version":"9""#))
            agent.cancel()
            #expect(try await activity.next("agents") == #"{"agents":[]}"#)
            let device = try await gateway.device()
            try await gateway.send(line(device.token))
            #expect(try await activity.next("notification") != nil)
            _ = await agent.result
        }
    }
}
