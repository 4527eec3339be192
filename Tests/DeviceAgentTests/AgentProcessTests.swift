import DeviceAgent
import Gateway
import GatewayClient
import GatewayTestSupport
import Testing
import WaypostSchema
import WaypostTestSupport

@Suite(.timeLimit(.minutes(5))) struct AgentProcessTests {
    static func line(_ token: DeviceToken, _ id: String) -> [UInt8] {
        let payload = #"{"aps":{"alert":{"title":"Honk"},"target-content-id":"x"}}"#
        return Array(#"{"token":"\#(token)","topic":"com.example.clowntown","id":"\#(id)","payload":\#(payload)}"#.utf8)
    }

    static let id = "c1000000-0000-4000-8000-000000000001"

    @Test func acknowledgedNotificationIsOnTheDevice() async throws {
        try await RunningGateway.run { gateway in
            let client = GatewayClient(gateway.http, service: gateway.ready.service, courier: gateway.ready.courier)
            try await withAgent(of: gateway.ready, gateway.http) { agent in
                let device = try await agent.devices()[0]
                let token = try #require(device.token)
                #expect(device.isConnected)
                let receipt = try await client.send(Self.line(token, Self.id))
                let status = try await client.settledStatus(of: receipt.id, within: 60)
                #expect(status.states == [.acknowledged: 1])
                #expect(try await agent.notifications(of: "Ava's iPad").map(\.id.rawValue) == [Self.id])
            }
        }
    }

    @Test func notificationSentTwiceIsStoredOnce() async throws {
        try await RunningGateway.run { gateway in
            let client = GatewayClient(gateway.http, service: gateway.ready.service, courier: gateway.ready.courier)
            try await withAgent(of: gateway.ready, gateway.http) { agent in
                let token = try #require(try await agent.devices()[0].token)
                for _ in 0..<2 {
                    let receipt = try await client.send(Self.line(token, Self.id))
                    _ = try await client.settledStatus(of: receipt.id, within: 60)
                }
                #expect(try await agent.notifications(of: "Ava's iPad").count == 1)
            }
        }
    }

    @Test(.proves("T2", "T8")) func openingANotificationSelectsTheScene() async throws {
        try await RunningGateway.run { gateway in
            let client = GatewayClient(gateway.http, service: gateway.ready.service, courier: gateway.ready.courier)
            try await withAgent(of: gateway.ready, gateway.http) { agent in
                let token = try #require(try await agent.devices()[0].token)
                let receipt = try await client.send(Self.line(token, Self.id))
                _ = try await client.settledStatus(of: receipt.id, within: 60)
                let opened = try await agent.open(NotificationID(rawValue: Self.id), on: "Ava's iPad")
                #expect(opened.scene == "all")
                #expect(opened.decision?.reason == .can)
                #expect(opened.notification?.openedAt == AgentSources.forTests.now())
            }
        }
    }

    /// `waypost device open last` sends one request.
    @Test func lastNotificationOfTheFirstDeviceHasAName() async throws {
        try await RunningGateway.run { gateway in
            let client = GatewayClient(gateway.http, service: gateway.ready.service, courier: gateway.ready.courier)
            try await withAgent(of: gateway.ready, gateway.http) { agent in
                let token = try #require(try await agent.devices()[0].token)
                let receipt = try await client.send(Self.line(token, Self.id))
                _ = try await client.settledStatus(of: receipt.id, within: 60)
                for name in ["last", String(Self.id.prefix(8)), Self.id] {
                    let opened = try await agent.open(NotificationID(rawValue: name), on: "-")
                    #expect((opened.device, opened.notification?.id.rawValue) == ("Ava's iPad", Self.id))
                }
            }
        }
    }

    @Test(arguments: [("Ava's iPad", "unknownNotification"), ("Somebody's iPad", "unknownDevice")])
    func unknownNotificationOrDeviceCannotBeOpened(_ device: String, _ code: String) async throws {
        try await RunningGateway.run { gateway in
            try await withAgent(of: gateway.ready, gateway.http) { agent in
                let error = await #expect(throws: CallError.self) { try await agent.open("nothing", on: device) }
                guard case .refused(404, let refusal) = error else {
                    Issue.record("\(String(describing: error))")
                    return
                }
                #expect(refusal.code.rawValue == code)
            }
        }
    }
}
