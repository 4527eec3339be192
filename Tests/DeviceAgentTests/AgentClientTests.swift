import GatewayClient
import Testing
import WaypostSchema

/// Typed calls of the control API.
@Suite(.timeLimit(.minutes(5))) struct AgentClientTests {
    @Test func deviceReturnsToASnapshotOrToItsDescription() async throws {
        try await AppAgent.run { agent in
            let device = AppAgent.device
            try await agent.apply([.sharing(.contactChanged(Contact(id: "enrique", handles: [])))])
            try await agent.client.takeSnapshot("enrique", of: device)
            try await agent.apply([.sharing(.contactRemoved("enrique")), .setting(.lowPowerModeSet(isOn: true))])
            try await agent.client.reset(device, to: "enrique")
            let restored = try await agent.client.description(of: device)
            #expect(restored.name == device)
            #expect(restored.contacts?.map(\.id) == ["enrique"])
            #expect(!restored.lowPowerMode)
            try await agent.client.reset(device, to: nil)
            let reset = try await agent.client.description(of: device)
            #expect(reset.contacts == nil)
            #expect(Set(reset.apps.map(\.bundleIdentifier)) == [AppAgent.tv, AppAgent.clowns])
            let error = await #expect(throws: CallError.self) { try await agent.client.reset(device, to: "other") }
            #expect(error?.status == 404)
            #expect(error?.code == "unknownSnapshot")
        }
    }

    @Test func openedAppIsExplainedBeforehand() async throws {
        try await AppAgent.run { agent in
            let query = SceneQuery(targetContentIdentifier: "overview")
            let decision = try await agent.client.explainScene(query, of: AppAgent.clowns, on: AppAgent.device)
            #expect(decision.outcome == .activate)
            #expect(decision.targetContentIdentifier == "overview")
            let opened = try await agent.client.openApp(AppAgent.clowns, on: AppAgent.device)
            #expect(opened.device == AppAgent.device && opened.app == AppAgent.clowns)
            let app = try await agent.client.description(of: AppAgent.device).apps.first {
                $0.bundleIdentifier == AppAgent.clowns
            }
            let front = app?.scenes.first { $0.state == .foregroundActive }
            #expect(front?.persistentIdentifier == opened.activation.scene)
        }
    }

    @Test func linkIsExplainedForOneApp() async throws {
        try await AppAgent.run { agent in
            try await agent.apply(AppAgent.scenario)
            let explanation = try await agent.client.explain(AppAgent.url, in: AppAgent.tv, on: AppAgent.device)
            #expect(explanation.isSurfaced)
            #expect(explanation.app == AppAgent.tv && explanation.url == AppAgent.url)
            let other = try await agent.client.explain(AppAgent.url, in: AppAgent.clowns, on: AppAgent.device)
            #expect(!other.isSurfaced)
        }
    }
}
