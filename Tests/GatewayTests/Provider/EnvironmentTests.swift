import GatewayTestSupport
import NIOHPACK
import NIOHTTP1
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import Gateway

/// The environments of devices and of requests.
@Suite(.timeLimit(.minutes(5))) struct EnvironmentTests {
    /// A request to a device of the sandbox, which has an app of production, too.
    struct Case: Sendable, CustomTestStringConvertible {
        var host: String
        var topic: Topic = "com.example.clowntown"
        var listener: PushEnvironment?
        var isAccepted: Bool

        var testDescription: String {
            "\(topic) at \(host), listener: \(listener?.rawValue ?? "none")"
        }

        static let all = [
            Self(host: "api.sandbox.push.apple.com", isAccepted: true),
            Self(host: "api.development.push.apple.com", isAccepted: true),
            Self(host: "api.push.apple.com", isAccepted: false),
            Self(host: "api.push.apple.com", topic: "com.example.store", isAccepted: true),
            Self(host: "api.push.apple.com", topic: "com.example.store.voip", isAccepted: true),
            Self(host: "api.sandbox.push.apple.com", topic: "com.example.store", isAccepted: false),
            Self(host: "localhost", isAccepted: true),
            Self(host: "localhost", listener: .sandbox, isAccepted: true),
            Self(host: "localhost", listener: .production, isAccepted: false),
            // A proxy decides by the host name.
            Self(host: "api.sandbox.push.apple.com", listener: .production, isAccepted: true),
        ]
    }

    private static let registration = DeviceRegistration(
        name: "iPad",
        topics: ["com.example.clowntown", "com.example.store", "com.example.store.voip"],
        environment: .sandbox,
        appEnvironments: ["com.example.store": .production]
    )

    @Test(arguments: Case.all) func tokenOfTheOtherEnvironmentIsBad(_ example: Case) async throws {
        var configuration = GatewayConfiguration.forTests
        configuration.providerEnvironment = example.listener
        try await RunningGateway.run(configuration) { gateway in
            let device: DeviceCredential = try await gateway.service(.POST, "/v1/devices", Self.registration).decoded()
            var client = try await ProviderClient(gateway)
            let headers: HPACKHeaders = [
                ":method": "POST", ":scheme": "http", ":path": "/3/device/\(device.token)", "host": example.host,
                "apns-topic": example.topic.rawValue,
                "apns-push-type": example.topic == "com.example.store.voip" ? "voip" : "alert",
            ]
            let answer = try await client.exchange(headers, body: Array(#"{"aps":{"alert":"Honk"}}"#.utf8))
            #expect(answer.status == (example.isAccepted ? 200 : 400))
            if !example.isAccepted {
                #expect(answer.body == #"{"reason":"BadDeviceToken"}"#)
                #expect(answer.fields["waypost-message"]?.hasPrefix("this token is of ") == true)
            }
            // Apple documents the second identifier for the sandbox only.
            let isProduction = example.host == "api.push.apple.com"
            #expect((answer.fields["apns-unique-id"] != nil) == (example.isAccepted && !isProduction))
            // A batch has no environment.
            #expect(try await gateway.send(line(device.token)).accepted == 1)
            try await client.close()
        }
    }

    @Test func deviceShowsItsEnvironments() async throws {
        try await RunningGateway.run { gateway in
            let body = Array(#"{"name":"iPad","topics":["a"],"environment":"development"}"#.utf8)
            let device: DeviceCredential = try await gateway.service(.POST, "/v1/devices", body: body).decoded()
            let registered: RegisteredDevice = try await gateway.get("/v1/devices/\(device.token)")
            #expect(registered.environment == .sandbox)
            let wrong = Array(#"{"name":"iPad","topics":["a"],"environment":"staging"}"#.utf8)
            let refused = try await gateway.service(.POST, "/v1/devices", body: wrong)
            #expect(refused.status == 400)
            #expect(try refused.error.message.contains("'staging' is not one of sandbox, development, production"))
        }
    }
}
