import AsyncHTTPClient
import Foundation
import Gateway
import GatewayClient
import GatewayTestSupport
import NIOCore
import NIOHTTP1
import Testing
import WaypostSchema

/// `PUT /v1/secret` of the courier listener.
@Suite(.timeLimit(.minutes(5))) struct SecretRotationTests {
    /// Returns a secret with the first digits of another one.
    private static func next(_ secret: BearerSecret, _ digit: String = "e") -> BearerSecret {
        BearerSecret(rawValue: String(secret.rawValue.prefix(3)) + String(repeating: digit, count: 61))
    }

    private static func rotate(
        _ secret: BearerSecret,
        to next: BearerSecret,
        at gateway: RunningGateway
    ) async throws -> Exchange {
        try await gateway.courier(
            .PUT,
            "/v1/secret",
            headers: [("authorization", "Bearer \(secret.rawValue)")],
            body: Array(try JSONEncoder().encode(SecretRotation(secret: next)))
        )
    }

    @Test(arguments: Engine.allCases) func openStreamGoesOnWhenTheSecretIsReplaced(_ engine: Engine) async throws {
        try await engine.run { gateway in
            let device = try await gateway.device()
            let rotated = DeviceCredential(token: device.token, secret: Self.next(device.secret))
            let receipt = try await gateway.send(line(device.token))
            let opened = try await gateway.events(1, of: device) {
                // The second request is a repetition after a lost answer.
                for _ in 0..<2 {
                    let answer = try await Self.rotate(device.secret, to: rotated.secret, at: gateway)
                    #expect(answer.status == 204)
                }
                return try await gateway.acknowledge(.upTo(1_000), rotated).acknowledged
            }
            #expect(opened.result == 1)
            try await gateway.wait(for: [.acknowledged: 1], of: receipt.id)
            let refused = try await gateway.open(device)
            #expect(refused.status == .unauthorized)
            try await gateway.send(line(device.token))
            let events = try await gateway.events(1, of: rotated)
            #expect(events.count == 1)
            // Devices join with the new secret only.
            let joined = try await gateway.register(secret: rotated.secret)
            #expect(joined.status == 201)
            let stranger = try await gateway.register(secret: device.secret)
            #expect(stranger.status == 404)
        }
    }

    @Test func secretOfAnotherAgentIsRefused() async throws {
        // All secrets have the same range, and the agents are in different namespaces.
        var sources = GatewaySources.forTests()
        sources.randomBytes = { count in (0..<count).map { $0 < 2 ? 0 : UInt8.random(in: 0...255) } }
        try await RunningGateway.run(sources: sources) { gateway in
            let first = try await gateway.device()
            let second = try await gateway.device(in: "other")
            let answer = try await Self.rotate(first.secret, to: second.secret, at: gateway)
            #expect(answer.status == 409)
            #expect(try answer.error.code == "secretTaken")
            let ownSecret = try await Self.rotate(first.secret, to: first.secret, at: gateway)
            #expect(ownSecret.status == 204)
        }
    }

    @Test(arguments: [
        String(repeating: "e", count: 64), "", "eee", String(repeating: "E", count: 61),
        String(repeating: "e", count: 62), String(repeating: "x", count: 61),
    ])
    func secretOfAnotherFormIsRefused(_ end: String) async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            // The first example has another range, and the others another length or other digits.
            let start = end.count == 64 ? "" : String(device.secret.rawValue.prefix(3))
            let answer = try await Self.rotate(device.secret, to: BearerSecret(rawValue: start + end), at: gateway)
            #expect(answer.status == 400)
            #expect(try answer.error.code == "malformedBody")
        }
    }

    @Test func onlyTheHolderOfTheSecretCanReplaceIt() async throws {
        try await RunningGateway.run { gateway in
            let device = try await gateway.device()
            let unknown = try await Self.rotate("nobody", to: Self.next(device.secret), at: gateway)
            #expect(unknown.status == 401)
            let body = Array(try JSONEncoder().encode(SecretRotation(secret: Self.next(device.secret))))
            let anonymous = try await gateway.courier(.PUT, "/v1/secret", body: body)
            #expect(anonymous.status == 401)
            let posted = try await gateway.courier(.POST, "/v1/secret", body: body)
            #expect(posted.status == 405)
            let stream = try await gateway.open(device)
            #expect(stream.status == .ok)
        }
    }
}
