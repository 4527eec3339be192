import GatewayClient
import GatewayTestSupport
import NIOHTTP1
import Testing
import WaypostSchema

@testable import Gateway

@Suite(.timeLimit(.minutes(5))) struct RegistrationTests {
    @Test func deviceReceivesATokenAndASecret() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            #expect(device.token.rawValue.count == 64)
            #expect(device.token.rawValue.allSatisfy { $0.isHexDigit })
            #expect(device.secret.rawValue != device.token.rawValue)
        }
    }

    @Test func deviceWithAnAgentsSecretJoinsTheAgent() async throws {
        try await RunningGateway.run { gateway in
            let first = try await gateway.device()
            let second = try await gateway.device(secret: first.secret)
            #expect(second.secret == first.secret)
            #expect(second.token != first.token)
            _ = try await gateway.batch(Array((line(first.token) + line(second.token)).utf8))
            #expect(try await gateway.events(2, of: first).count == 2)
        }
    }

    @Test func tokensOfAnAgentAreInTheRangeOfItsSecret() async throws {
        try await RunningGateway.run { gateway in
            let first = try await gateway.device()
            let range = first.secret.rawValue.prefix(3)
            let second = try await gateway.device(secret: first.secret)
            let path = "/v1/devices/\(second.token)/rotation"
            let rotated = try await gateway.service(.POST, path, TokenRotation(token: nil)).decoded(
                as: RegisteredDevice.self
            )
            let tokens = [first.token, second.token, rotated.token]
            #expect(tokens.map { $0.rawValue.prefix(3) } == [range, range, range])
            #expect(Set(tokens).count == 3)
            let other = try await gateway.device()
            #expect(other.secret.rawValue != first.secret.rawValue)
        }
    }

    @Test(arguments: Engine.allCases) func devicesAreListedInPages(_ engine: Engine) async throws {
        try await engine.run { gateway in
            var devices: [DeviceCredential] = []
            for _ in 0..<3 { devices.append(try await gateway.device()) }
            _ = try await gateway.device(in: "run")
            let stream = try await gateway.stream(devices[0])
            try await gateway.send(line(1, devices[1].token) + line(2, devices[1].token))
            let tokens = devices.map(\.token).sorted { $0.rawValue < $1.rawValue }
            let first: DevicePage = try await gateway.get("/v1/devices?limit=2")
            #expect(first.devices.map(\.device.token) == tokens.prefix(2).map(\.self))
            #expect(first.next == tokens[1])
            let second: DevicePage = try await gateway.get("/v1/devices?limit=2&after=\(tokens[1])")
            #expect(second.devices.map(\.device.token) == [tokens[2]])
            #expect(second.next == nil)
            let all = Dictionary(uniqueKeysWithValues: (first.devices + second.devices).map { ($0.device.token, $0) })
            #expect(devices.map { all[$0.token]?.connected } == [true, false, false])
            #expect(devices.map { all[$0.token]?.stored } == [0, 2, 0])
            withExtendedLifetime(stream) {}
            #expect(try await gateway.service(.GET, "/v1/devices?limit=0").status == 400)
        }
    }

    @Test(arguments: Engine.allCases) func devicesAreFoundByNameAndStanding(_ engine: Engine) async throws {
        try await engine.run { gateway in
            for token in ["a0", "a1", "a2"] as [DeviceToken] { _ = try await gateway.device(token: token) }
            let phone = DeviceRegistration(name: "My Phone", topics: [], secret: nil, token: "a3")
            _ = try await gateway.service(.POST, "/v1/devices", phone)
            _ = try await gateway.service(.DELETE, "/v1/devices/a0")
            for (query, tokens) in [
                ("name=iPad", ["a0", "a1", "a2"]), ("name=My%20Phone", ["a3"]), ("name=i", []), ("name=", []),
                ("standing=unregistered", ["a0"]), ("standing=active", ["a1", "a2", "a3"]),
                ("name=iPad&standing=active", ["a1", "a2"]), ("name=iPad&standing=active&after=a1", ["a2"]),
            ] as [(String, [String])] {
                let page: DevicePage = try await gateway.get("/v1/devices?\(query)")
                #expect(page.devices.map(\.device.token.rawValue) == tokens, "\(query)")
                #expect(page.next == nil)
            }
            let page: DevicePage = try await gateway.get("/v1/devices?name=iPad&standing=active&limit=1")
            #expect(page.devices.map(\.device.token) == ["a1"])
            #expect(page.next == "a1")
            let refusal = try await gateway.service(.GET, "/v1/devices?standing=gone")
            #expect(refusal.status == 400)
            #expect(try refusal.error.message.contains("the standings are active, unregistered"))
        }
    }

    @Test(arguments: [
        ("{", 400, "malformedBody"), ("{}", 400, "malformedBody"), (#"{"name":1,"topics":[]}"#, 400, "malformedBody"),
        (#"{"name":"","topics":[]}"#, 400, "malformedBody"),
        (#"{"name":"iPad","topics":[],"secret":"nobody's"}"#, 404, "unknownSecret"),
    ])
    func badRegistrationsAreRefused(_ body: String, _ status: UInt, _ code: String) async throws {
        try await RunningGateway.run { gateway in
            let answer = try await gateway.service(.POST, "/v1/devices", body: Array(body.utf8))
            #expect(answer.status == status)
            #expect(try answer.error.code.rawValue == code)
        }
    }
}

/// Tests of the ranges of tokens and secrets.
@Suite struct StoreRangeTests {
    @Test(arguments: [("a0f9", "a0f"), ("000", "000"), ("aa", nil), ("", nil), ("A0F9", nil), ("xyz", nil)])
    func rangeIsTheFirstThreeDigits(_ text: String, _ digits: String?) {
        #expect(StoreRange(of: text)?.digits == digits)
    }

    @Test func textInARangeKeepsItsOtherDigits() {
        #expect(StoreRange(of: "a0f9")?.replacingPrefix(of: "123456") == "a0f456")
    }
}
