import GatewayClient
import GatewayTestSupport
import NIOHTTP1
import Testing
import WaypostSchema

@testable import Gateway

@Suite(.timeLimit(.minutes(10))) struct RegistrationTests {
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
        #expect(StoreRange(of: "a0f9")?.placing("123456") == "a0f456")
    }
}
