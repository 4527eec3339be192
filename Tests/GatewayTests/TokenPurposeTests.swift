import GatewayTestSupport
import NIOHTTP1
import PushRules
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

    @Test(
        arguments: [
            (.voip, "calls", "a token of the kind 'voip' has no name"),
            (.app, "", "a token of the kind 'app' has no name"),
            (.liveActivity, nil, "a token of the kind 'liveActivity' needs a name of 1 to 256 bytes"),
            (.control, "", "a token of the kind 'control' needs a name of 1 to 256 bytes"),
            (.pushToTalk, nil, "a token of the kind 'pushToTalk' needs a name of 1 to 256 bytes"),
            (
                .pushToStart, String(repeating: "M", count: 257),
                "a token of the kind 'pushToStart' may have a name of 1 to 256 bytes"
            ),
        ] as [(TokenPurpose.Kind, String?, String)]
    )
    func nameMustFitTheKind(_ kind: TokenPurpose.Kind, name: String?, problem: String) async throws {
        try await RunningGateway.run { gateway in
            let purpose = TokenPurpose(kind, of: "com.example.clowntown", name: name)
            let registration = DeviceRegistration(name: "Phone", topics: [purpose.topic], purpose: purpose)
            let refused = try await gateway.service(.POST, "/v1/devices", registration)
            #expect(refused.status == 400)
            #expect(try refused.error.message == "'purpose.name': " + problem)
        }
    }

    @Test(
        arguments: [
            (.pushToStart, nil), (.pushToStart, "Match"), (.liveActivity, "m-1"), (.control, "play"), (.app, nil),
        ] as [(TokenPurpose.Kind, String?)]
    )
    func nameOfTheKindIsKept(_ kind: TokenPurpose.Kind, _ name: String?) async throws {
        try await RunningGateway.run { gateway in
            let purpose = TokenPurpose(kind, of: "com.example.clowntown", name: name)
            let registration = DeviceRegistration(name: "Phone", topics: [purpose.topic], purpose: purpose)
            let answer = try await gateway.service(.POST, "/v1/devices", registration)
            #expect(answer.status == 201)
            let token = try answer.decoded(as: DeviceCredential.self).token
            let registered: RegisteredDevice = try await gateway.get("/v1/devices/\(token)")
            #expect(registered.purpose == purpose)
        }
    }

    /// A rotation is what a device with several tokens goes through with each of them.
    @Test(arguments: Engine.allCases) func rotatedTokenKeepsItsPurposeAndItsAgent(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let agent = try await gateway.device()
            var registration = Self.voip
            registration.secret = agent.secret
            let credential = try await gateway.service(.POST, "/v1/devices", registration)
                .decoded(as: DeviceCredential.self)
            let path = "/v1/devices/\(credential.token)"
            _ = try await gateway.service(.PUT, path + "/power", DevicePower(constrained: true))
            let rotated = try await gateway.service(.POST, path + "/rotation", TokenRotation(token: nil))
                .decoded(as: RegisteredDevice.self)
            #expect(rotated.purpose == Self.voip.purpose)
            #expect(rotated.name == Self.voip.name)
            #expect(rotated.powerConstrained)
            let earlier: RegisteredDevice = try await gateway.get(path)
            #expect(earlier.standing == .unregistered)
            #expect(earlier.purpose == Self.voip.purpose)
            // The agent registers the new token again, and no other agent can.
            registration.token = rotated.token
            let again = try await gateway.service(.POST, "/v1/devices", registration)
            #expect(again.status == 201)
            registration.secret = nil
            let other = try await gateway.service(.POST, "/v1/devices", registration)
            #expect(other.status == 409)
            let receipt = try await gateway.send(
                line(1, rotated.token, #""pushType":"voip","priority":10,"#, topic: "com.example.clowntown.voip")
            )
            #expect(receipt.accepted == 1)
        }
    }

    /// The time of a 410 is that of the first time.
    @Test func unregisteringAgainChangesNothing() async throws {
        try await RunningGateway.run(.forTests.withManualClock) { gateway in
            let token = try await Self.register(with: gateway)
            #expect(try await gateway.service(.DELETE, "/v1/devices/\(token)").status == 204)
            let first: RegisteredDevice = try await gateway.get("/v1/devices/\(token)")
            try await ManualClockTests.advance(gateway, ClockAdvance(by: 60_000))
            #expect(try await gateway.service(.DELETE, "/v1/devices/\(token)").status == 204)
            let second: RegisteredDevice = try await gateway.get("/v1/devices/\(token)")
            #expect(second == first)
            #expect(second.standing == .unregistered)
            #expect(try await gateway.service(.DELETE, "/v1/devices/c0ffee").status == 404)
        }
    }

    /// A device is subscribed by its own token.
    @Test func tokenOfAnAppHasNoSubscriptionsButCanEndThem() async throws {
        try await RunningGateway.run { gateway in
            let path = "/v1/devices/\(try await Self.register(with: gateway))/channels"
            let channels = DeviceChannels(channels: ["bm9uZQ=="])
            let refused = try await gateway.service(.PUT, path, channels)
            #expect(refused.status == 409)
            #expect(try refused.error.code == "cannotSubscribe")
            let ended = try await gateway.service(.PUT, path, DeviceChannels(channels: []))
            #expect(ended.status == 200)
            #expect(try ended.decoded(as: DeviceChannels.self).channels.isEmpty)
        }
    }

    @Test(arguments: Engine.allCases) func tokenOfAnotherKindIsRefused(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let token = try await Self.register(with: gateway)
            let receipt = try await gateway.send(
                line(1, token) + line(2, token, #""pushType":"alert","#, topic: "com.example.clowntown.voip")
                    + line(3, token, #""pushType":"voip","#, topic: "com.example.clowntown.voip")
            )
            #expect(receipt.accepted == 1)
            #expect(receipt.results.map(\.reason) == ["DeviceTokenNotForTopic", "InvalidPushType"])
            #expect(receipt.results.map(\.field) == ["topic", "pushType"])
            let message = """
                this is the VoIP token of com.example.clowntown; its topic is com.example.clowntown.voip, \
                not com.example.clowntown
                """
            #expect(receipt.results.first?.message == message)
            #expect(try await gateway.notification(.numbered(1)).message == message)
            let codes = try await gateway.notification(.numbered(3)).findings?.map(\.code)
            #expect(codes?.contains(.sharedToken) == false)
        }
    }

    /// A note is in the log and not in the answer, wherever the notification is.
    @Test(arguments: Engine.allCases) func logNotesATokenForSeveralTopics(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let voip: Topic = "com.example.clowntown.voip"
            let device = try await gateway.device(topics: ["com.example.clowntown", voip])
            let receipt = try await gateway.send(
                line(1, device.token, #""pushType":"voip","#, topic: voip)
                    + line(2, device.token, #""pushType":"voip","expiration":0,"#, topic: voip) + line(3, device.token)
            )
            #expect(receipt.accepted == 3)
            #expect(receipt.findings?.contains(where: { $0.code == .sharedToken }) != true)
            for (number, isNoted) in [(1, true), (2, true), (3, false)] {
                let findings = try await gateway.notification(.numbered(number)).findings ?? []
                let finding = findings.first { $0.code == .sharedToken }
                #expect((finding != nil) == isNoted, "\(number)")
                #expect(finding?.severity == (isNoted ? .note : nil))
            }
        }
    }
}
