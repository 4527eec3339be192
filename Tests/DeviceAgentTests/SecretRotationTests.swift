import Foundation
import Gateway
import GatewayClient
import GatewayTestSupport
import HTTPTypes
import Testing
import WaypostSchema
import WaypostTestSupport

@testable import DeviceAgent

/// The rotation of a device's secret: notifications before, during and after it arrive, wherever a process ends.
@Suite(.timeLimit(.minutes(5))) struct SecretRotationTests {
    typealias Fault = FaultyService.Fault

    /// Sends a notification to the app, and expects that the device acknowledges it.
    private static func notify(_ token: DeviceToken, by gateway: GatewayClient) async throws {
        let receipt = try await gateway.send(try batch(to: token))
        let status = try await gateway.settledStatus(of: receipt.id, within: 60)
        #expect(status.states == [.acknowledged: 1])
    }

    private static func batch(to token: DeviceToken) throws -> [UInt8] {
        let payload = JSONValue.object(["aps": .object(["alert": .string("Honk")])])
        let item = BatchItem(token: token, topic: "com.example.tv", payload: payload)
        return Array(try JSONEncoder().encode(item))
    }

    /// Ends the stream of the device, which must open another one with its secret.
    private static func disconnect(_ stack: FaultyStack) async throws {
        let streams = try await stack.gateway.streams(after: 0).streams
        try await stack.gateway.disconnect(try #require(streams.first).agent)
    }

    @Test func notificationsBeforeDuringAndAfterARotationArrive() async throws {
        try await FaultyStack.run(isCourierFaulty: true) { stack in
            try await stack.apply(.system(.appInstalled(FaultyStack.description)))
            let tokens = try await stack.tokens()
            let token = try #require(tokens[FaultyStack.alerts])
            try await Self.notify(token, by: stack.gateway)
            stack.service.add(Fault(outcome: .heldAnswer, method: .put, text: "/v1/secret"))
            async let rotated = stack.agent.rotateSecret(of: FaultyStack.device)
            try await stack.waitForFaults()
            // The gateway has the next secret, or gets it now, and the stream goes on.
            try await Self.notify(token, by: stack.gateway)
            stack.service.releaseAnswers()
            _ = try await rotated
            try await Self.notify(token, by: stack.gateway)
            try await Self.disconnect(stack)
            try await Self.notify(token, by: stack.gateway)
            let notifications = try await stack.agent.notifications(of: FaultyStack.device)
            #expect(notifications.count == 4)
            let tokensAfterwards = try await stack.tokens()
            #expect(tokensAfterwards == tokens)
        }
    }

    @Test func rotationsFollowOneAnother() async throws {
        try await FaultyStack.run { stack in
            try await stack.apply(.system(.appInstalled(FaultyStack.description)))
            let token = try #require(try await stack.tokens()[FaultyStack.alerts])
            async let first = stack.agent.rotateSecret(of: FaultyStack.device)
            async let second = stack.agent.rotateSecret(of: FaultyStack.device)
            async let third = stack.agent.rotateToken(of: FaultyStack.device)
            _ = try await [first.name, second.name, third.name]
            try await Self.disconnect(stack)
            try await Self.notify(token, by: stack.gateway)
        }
    }

    /// The gateway did not receive the request, performed it without an answer, or is an earlier version.
    @Test(
        arguments: [
            Fault(outcome: .refusal(503), method: .put, text: "/v1/secret", count: 2),
            Fault(outcome: .lostAnswer, method: .put, text: "/v1/secret", count: 2),
            Fault(outcome: .refusal(404), method: .put, text: "/v1/secret"),
        ]
    )
    func failedRotationLosesNothing(_ fault: Fault) async throws {
        try await FaultyStack.run(isCourierFaulty: true) { stack in
            try await stack.apply(.system(.appInstalled(FaultyStack.description)))
            let tokens = try await stack.tokens()
            let token = try #require(tokens[FaultyStack.alerts])
            stack.service.add(fault)
            await #expect(throws: CallError.self) { _ = try await stack.agent.rotateSecret(of: FaultyStack.device) }
            try await Self.notify(token, by: stack.gateway)
            try await stack.waitForFaults()
            try await Self.disconnect(stack)
            try await Self.notify(token, by: stack.gateway)
            let tokensAfterwards = try await stack.tokens()
            #expect(tokensAfterwards == tokens)
            _ = try await stack.agent.rotateSecret(of: FaultyStack.device)
        }
    }

    // MARK: The end of a process

    /// The last step of a rotation before the agent ended.
    enum LastStep: CaseIterable {
        case none, bothSecretsStored, gatewayHasNextSecret, nextSecretStored
    }

    @Test(arguments: LastStep.allCases)
    func agentThatEndedDuringARotationLosesNothing(_ lastStep: LastStep) async throws {
        let folder = try ScratchFolder()
        let data = folder.path(of: "device")
        var sources = GatewaySources.forTests()
        sources.randomBytes = { count in (0..<count).map { _ in UInt8.random(in: 0...255) } }
        try await RunningGateway.run(sources: sources) { gateway in
            let (service, courier) = (gateway.ready.service, gateway.ready.courier)
            let client = GatewayClient(gateway.http, service: service, courier: courier)
            let device = DeviceDescription(name: FaultyStack.device, apps: [FaultyStack.description])
            var changingConfiguration = AgentConfiguration(
                devices: [ConfiguredDevice(device)],
                service: service,
                courier: courier
            )
            changingConfiguration.data = data
            let configuration = changingConfiguration
            let tokens = try await withAgent(configuration, sources: .forTests) { ready in
                try await FaultyStack.stack(of: gateway, client, ready).tokens()
            }
            let file = URL(filePath: data + "/credential.json")
            let (earlier, next) = try await Self.rotate(file, upTo: lastStep, at: client)
            let token = try #require(tokens[FaultyStack.alerts])
            let receipt = try await client.send(try Self.batch(to: token))
            let tokensAfterwards = try await withAgent(configuration, sources: .forTests) { ready in
                let status = try await client.settledStatus(of: receipt.id, within: 60)
                #expect(status.states == [.acknowledged: 1])
                try await Self.notify(token, by: client)
                return try await FaultyStack.stack(of: gateway, client, ready).tokens()
            }
            #expect(tokensAfterwards == tokens)
            let stored = try JSONDecoder().decode(StoredCredential.self, from: Data(contentsOf: file))
            #expect(stored.secret == (lastStep == .none ? earlier : next))
            #expect(stored.nextSecret == nil)
            // Only the stored secret is valid.
            let otherSecret = lastStep == .none ? next : earlier
            _ = try await client.acknowledge(.sequences([1]), with: stored.secret)
            let error = await #expect(throws: CallError.self) {
                _ = try await client.acknowledge(.sequences([1]), with: otherSecret)
            }
            guard case .refused(status: 401, _) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
        withExtendedLifetime(folder) {}
    }

    /// Performs a part of a rotation, as an agent that ends then.
    private static func rotate(
        _ file: URL,
        upTo lastStep: LastStep,
        at client: GatewayClient
    ) async throws -> (earlier: BearerSecret, next: BearerSecret) {
        var credential = try JSONDecoder().decode(StoredCredential.self, from: Data(contentsOf: file))
        let earlier = credential.secret
        let next = BearerSecret(rawValue: String(earlier.rawValue.prefix(3)) + String(repeating: "e", count: 61))
        if lastStep == .none { return (earlier, next) }
        credential.beginRotation(to: next)
        try JSONEncoder().encode(credential).write(to: file)
        if lastStep == .bothSecretsStored { return (earlier, next) }
        try await client.rotate(earlier, with: SecretRotation(secret: next))
        if lastStep == .gatewayHasNextSecret { return (earlier, next) }
        _ = credential.record(.accepted)
        try JSONEncoder().encode(credential).write(to: file)
        return (earlier, next)
    }
}
