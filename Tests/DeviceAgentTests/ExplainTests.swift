import DeviceAgent
import Gateway
import GatewayClient
import GatewayTestSupport
import Testing
import WaypostSchema
import WaypostTestSupport

/// An agent's explanation of which app a URL opens.
@Suite(.timeLimit(.minutes(5))) struct ExplainTests {
    @Test(.proves("B35")) func agentExplainsWhyALinkOpensAnApp() async throws {
        try await LinkedAgent.run { agent in
            let decisions = try await agent.client.explain(LinkedAgent.url, on: LinkedAgent.name)
            let decision = try #require(decisions.first)
            #expect(decisions.count == 1)
            #expect(decision.matched && decision.outcome == .match && decision.reason == .matched)
            #expect(decision.app == LinkedAgent.app)
            #expect(decision.rule == #"{"/":"/clowns/*"}"#)
            #expect(decision.entry == "applinks:clowntown.example?mode=developer")
            #expect(decision.file?.source == agent.path)
            #expect(decision.trace?.count == 1)
        }
    }

    @Test(.proves("B35")) func agentExplainsWhyALinkOpensNoApp() async throws {
        try await LinkedAgent.run { agent in
            let reasons: [(String, LinkDecision.Reason)] = [
                ("https://clowntown.example/", .noRuleMatched), ("https://balloons.example/", .fileUnavailable),
                ("https://www.clowntown.example/", .noEntry), ("mailto:crusty@clowntown.example", .notWeb),
                ("crusty", .notAURL), ("", .notAURL),
            ]
            for (url, reason) in reasons {
                let decisions = try await agent.client.explain(url, on: LinkedAgent.name)
                #expect(decisions.map(\.reason) == [reason], "\(url)")
                #expect(decisions.map(\.matched) == [false], "\(url)")
            }
        }
    }

    @Test func decisionContainsTheURLUnchanged() async throws {
        try await LinkedAgent.run { agent in
            let rests = [
                "a%2Fb", "a%252Fb", "a+b", "a b", "?a=b&url=https://x&c=%26#d", "#a#b", "\"'<>\\", "花🤡é", "%", "%zz",
                "%00",
                "$(lang)", "a;b,c", "\u{1}",
            ]
            for rest in rests {
                let url = "https://clowntown.example/clowns/\(rest)"
                let decisions = try await agent.client.explain(url, on: LinkedAgent.name)
                #expect(decisions.map { Array($0.url.utf8) } == [Array(url.utf8)])
            }
        }
    }

    @Test(arguments: ["", "?", "?URL=https://clowntown.example/", "?uri=https://clowntown.example/"])
    func requestWithoutAURLIsRefused(_ query: String) async throws {
        try await LinkedAgent.run { agent in
            let path = "/v1/devices/Ava%27s%20iPad/explain\(query)"
            let error = await #expect(throws: CallError.self) {
                _ = try await agent.control.get(path, as: [LinkDecision].self)
            }
            #expect(error?.status == 400)
            #expect(error?.code == "badParameter")
        }
    }

    @Test func unknownDeviceExplainsNothing() async throws {
        try await LinkedAgent.run { agent in
            let error = await #expect(throws: CallError.self) {
                _ = try await agent.client.explain(LinkedAgent.url, on: "Somebody's iPad")
            }
            #expect(error?.status == 404)
            #expect(error?.code == "unknownDevice")
        }
    }

    @Test func deviceWithoutAssociatedDomainsHasNoDecisions() async throws {
        try await RunningGateway.run { gateway in
            try await withAgent(of: gateway.ready, gateway.http) { agent in
                let decisions = try await agent.explain(LinkedAgent.url, on: LinkedAgent.name)
                let files = try await agent.associationFiles(of: LinkedAgent.name)
                let checked = try await agent.checkAssociations(of: LinkedAgent.name)
                #expect(decisions.isEmpty && files.isEmpty && checked.isEmpty)
            }
        }
    }
}
