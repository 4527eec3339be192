import DeviceAgent
import GatewayClient
import Testing
import WaypostSchema
import WaypostTestSupport

/// The findings in the answers to an app's requests for attribution views.
@Suite(.timeLimit(.minutes(5))) struct AttributionFindingTests {
    @Test(.proves("B88")) func answerSaysThatTheDisplayContextIsTooLate() async throws {
        try await AppAgent.run { agent in
            try await agent.apply(AppAgent.scenario)
            let (tv, calls) = (try await agent.process(of: AppAgent.tv), try await agent.calls(of: AppAgent.tv))
            let view = try await tv.attribution(AttributionRequest(url: AppAgent.url)).view
            let detail = Self.request(preferences: ["displayContext": .string("detail")])
            let summary = Self.request(preferences: [:])
            let early: AttributionView = try await calls.put("/v1/app/attributions/\(view)", detail)
            #expect(early.findings.isEmpty)
            try await tv.attach(view)
            let late: AttributionView = try await calls.put("/v1/app/attributions/\(view)", summary)
            #expect(late.findings.map(\.code) == [.displayContextTooLate])
            #expect(late.findings.map(\.field) == ["displayContext"])
            #expect(late.findings.first?.message.contains("'summary' applies to the next window") == true)
            let same: AttributionView = try await calls.put("/v1/app/attributions/\(view)", detail)
            #expect(same.findings.isEmpty)
        }
    }

    @Test func unknownKeysOfARequestAreFindings() async throws {
        try await AppAgent.run { agent in
            try await agent.apply(AppAgent.scenario)
            let calls = try await agent.calls(of: AppAgent.tv)
            let request = Self.request(
                preferences: ["maxWidth": .integer(80), "displayContxt": .string("detail")],
                others: ["colour": .string("red")]
            )
            let view: AttributionView = try await calls.post("/v1/app/attributions", request)
            #expect(view.findings.map(\.code) == [.unknownKey, .unknownKey, .unknownKey])
            #expect(Set(view.findings.map(\.field)) == ["maxWidth", "displayContxt", "colour"])
            let messages = view.findings.map(\.message)
            #expect(messages.contains { $0.contains("did you mean 'displayContext'?") }, "\(messages)")
        }
    }

    private static func request(
        preferences: [String: JSONValue],
        others: [String: JSONValue] = [:]
    ) -> JSONValue {
        let keys: [String: JSONValue] = ["url": .string(AppAgent.url), "preferences": .object(preferences)]
        return .object(keys.merging(others) { first, _ in first })
    }
}
