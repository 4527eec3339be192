import DeviceAgent
import GatewayClient
import Testing
import WaypostSchema
import WaypostTestSupport

/// Choices in the context menu of a link's content over the control API.
@Suite(.timeLimit(.minutes(5))) struct ContextMenuAPITests {
    private static func views(_ agent: AppAgent) async throws -> [RequestedAttribution] {
        try await agent.control.get("\(agent.path)/attributions")
    }

    private static func choose(_ item: MenuItemID, _ agent: AppAgent) async throws -> DeviceReaction {
        try await agent.client.choose(item, ofLink: AppAgent.url, in: AppAgent.tv, on: AppAgent.device)
    }

    @Test func itemThatIsNotInTheMenuRequestsNoView() async throws {
        try await AppAgent.run { agent in
            try await agent.apply(AppAgent.scenario)
            await #expect(throws: CallError.self) { _ = try await Self.choose("nonsense", agent) }
            let none = try await Self.views(agent)
            #expect(none.isEmpty)
            let reaction = try await Self.choose("reply", agent)
            let presented = reaction.effects.contains { effect in
                if case .attribution(.presentationChanged) = effect { true } else { false }
            }
            #expect(presented)
            let requested = try await Self.views(agent)
            #expect(requested.count == 1)
        }
    }
}
