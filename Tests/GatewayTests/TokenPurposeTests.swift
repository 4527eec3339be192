import GatewayTestSupport
import NIOHTTP1
import Testing
import WaypostSchema

@testable import Gateway

/// The purposes of tokens at the APIs of the gateway.
@Suite(.timeLimit(.minutes(5))) struct TokenPurposeTests {
    private static let voip = DeviceRegistration(
        name: "Phone",
        topics: ["com.example.clowntown.voip"],
        purpose: TokenPurpose(.voip, of: "com.example.clowntown")
    )

    /// Registers a token for calls.
    private static func register(with gateway: RunningGateway) async throws -> DeviceToken {
        try await gateway.service(.POST, "/v1/devices", voip).decoded(as: DeviceCredential.self).token
    }

    @Test(arguments: Engine.allCases) func deviceShowsThePurposeOfItsToken(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let token = try await Self.register(with: gateway)
            let registered: RegisteredDevice = try await gateway.get("/v1/devices/\(token)")
            #expect(registered.purpose == Self.voip.purpose)
            let page: DevicePage = try await gateway.get("/v1/devices")
            #expect(page.devices.map(\.device.purpose) == [Self.voip.purpose])
        }
    }

    @Test(
        arguments: [
            (["com.example.clowntown"], "'topics' must be only com.example.clowntown.voip"),
            (["com.example.tv.voip"], "'purpose.app' is com.example.clowntown"),
            ([], "'topics' must be only com.example.clowntown.voip"),
        ] as [([Topic], String)]
    )
    func topicsMustFitThePurpose(_ topics: [Topic], _ message: String) async throws {
        try await RunningGateway.run { gateway in
            var registration = Self.voip
            registration.topics = topics
            let refused = try await gateway.service(.POST, "/v1/devices", registration)
            #expect(refused.status == 400)
            #expect(try refused.error.message.hasPrefix(message))
            let token = try await Self.register(with: gateway)
            let change = DeviceTopics(topics: topics)
            let notChanged = try await gateway.service(.PUT, "/v1/devices/\(token)/topics", change)
            #expect(notChanged.status == 400)
            #expect(try notChanged.error.message.hasPrefix(message))
            let registered: RegisteredDevice = try await gateway.get("/v1/devices/\(token)")
            #expect(registered.topics == Self.voip.topics)
        }
    }
}
