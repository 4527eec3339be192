import AsyncHTTPClient
import DeviceAgent
import GatewayClient
import GatewayTestSupport
import Testing
import WaypostSchema
import WaypostTestSupport

/// Handoff of an activity from one device to another, through the gateway.
@Suite(.timeLimit(.minutes(5))) struct HandoffTests {
    private static let activity = UserActivity(
        activityType: "com.example.clowntown.clown",
        title: "Crusty",
        targetContentIdentifier: "https://clowntown.example/clowns/crusty"
    )

    @Test(.proves("T37")) func activityContinuesInTheSceneThatPrefersIt() async throws {
        try await RunningGateway.run { gateway in
            try await AppAgent.run(of: gateway) { first in
                let second = AgentConfiguration(
                    devices: [ConfiguredDevice(DeviceDescription(name: "Mac", apps: AppAgent.description.apps))],
                    service: gateway.ready.service,
                    courier: gateway.ready.courier
                )
                try await withAgent(second, sources: .waiting) { ready in
                    try await Self.handOn(from: first, to: JSONCalls(gateway.http, base: ready.control))
                }
            }
        }
    }

    private static func handOn(from first: AppAgent, to mac: JSONCalls) async throws {
        let devices: [DeviceStatus] = try await mac.get("/v1/devices")
        let token = try #require(devices.first?.token)
        let conditions = ActivationConditions(can: "SELF ENDSWITH 'crusty'", prefers: "SELF ENDSWITH 'crusty'")
        let event = DeviceEvent.scene(.activationConditionsSet(AppAgent.clowns, "crusty", conditions))
        let _: DeviceReaction = try await mac.post("/v1/devices/Mac/events", event)
        // The app sets the activity of its scene. The user brings the scene to the front and then goes to the Mac.
        try await first.process(of: AppAgent.clowns).set(activity, of: "overview")
        try await first.apply([.scene(.sceneBroughtForward(AppAgent.clowns, "overview", nil))])
        let path = first.path + "/apps/\(AppAgent.clowns)/handoff"
        let handed: HandedActivity = try await first.control.post(path, ActivityHandoff(to: token))
        #expect(handed.from == AppAgent.device)
        let offers: [OfferedActivity] = try await mac.get("/v1/devices/Mac/activities?wait=1&timeout=60s")
        let offer = try #require(offers.first)
        #expect(offer.activity == activity)
        let opened: OpenedScene = try await mac.post(
            "/v1/devices/Mac/activities/\(offer.id)/continue",
            bytes: [],
            headers: []
        )
        #expect(opened.activation.scene == "crusty")
        #expect(opened.activation.userActivity == activity)
        #expect(opened.decision?.reason == .prefers)
        let left: [OfferedActivity] = try await mac.get("/v1/devices/Mac/activities")
        #expect(left.isEmpty)
    }

    @Test func appWithoutAnActivityHasNothingToHandOff() async throws {
        try await AppAgent.run { agent in
            let path = agent.path + "/apps/\(AppAgent.tv)/handoff"
            let refused = await #expect(throws: CallError.self) {
                let _: HandedActivity = try await agent.control.post(path, ActivityHandoff(to: "00"))
            }
            guard case .refused(409, let refusal) = refused else {
                _ = Issue.record("\(refused as Any)")
                return
            }
            #expect(refusal.code == "nothingToHandOn")
        }
    }

    @Test func unknownTargetDeviceIsAGatewayError() async throws {
        try await AppAgent.run { agent in
            try await agent.process(of: AppAgent.tv).set(Self.activity, of: "main")
            let path = agent.path + "/apps/\(AppAgent.tv)/handoff"
            let refused = await #expect(throws: CallError.self) {
                let _: HandedActivity = try await agent.control.post(path, ActivityHandoff(to: "00"))
            }
            guard case .refused(502, let refusal) = refused else {
                _ = Issue.record("\(refused as Any)")
                return
            }
            #expect(refusal.code == "gatewayRefused")
        }
    }
}
