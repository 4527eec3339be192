import DeviceAgent
import GatewayClient
import HTTPTypes
import Testing
import WaypostSchema
import WaypostTestSupport

/// The registration of a device if the gateway refuses requests for a while: changes, rotations and the end.
@Suite(.timeLimit(.minutes(5))) struct GatewaySessionFaultTests {
    typealias Fault = FaultyService.Fault

    private static let bakery = AppDescription(bundleIdentifier: "com.example.bakery", scenes: [])

    // MARK: Changes of the registration

    @Test(
        arguments: [
            Fault(outcome: .refusal(408), method: .post, text: "com.example.bakery", count: 2),
            Fault(outcome: .refusal(429), method: .post, text: "com.example.bakery", count: 2),
            Fault(outcome: .refusal(503), method: .post, text: "com.example.bakery", count: 2),
            Fault(outcome: .lostAnswer, method: .post, text: "com.example.bakery"),
            Fault(outcome: .refusal(503), method: .put, text: "/power", count: 2),
        ]
    )
    func changeIsReportedLater(_ fault: Fault) async throws {
        try await FaultyStack.run { stack in
            let token = try #require(try await stack.deviceToken())
            stack.service.add(fault)
            try await stack.apply(.system(.appInstalled(Self.bakery)))
            try await stack.apply(.setting(.lowPowerModeSet(isOn: true)))
            try await waitUntil("the gateway has the topics and the power") {
                let registered = try await stack.registrations()
                return registered.allSatisfy { $0.topics.contains("com.example.bakery") && $0.powerConstrained }
            }
            #expect(stack.service.faultCount == 0)
            let registered = try await stack.registrations()
            #expect(registered.map(\.token) == [token])
        }
    }

    /// A refusal is not repeated at once, but with the next change.
    @Test func refusedChangeIsReportedWithTheNextOne() async throws {
        try await FaultyStack.run { stack in
            stack.service.add(Fault(outcome: .refusal(400), method: .post, text: "com.example.bakery"))
            try await stack.apply(.system(.appInstalled(Self.bakery)))
            try await stack.waitForFaults()
            let refused = try await stack.registrations()
            #expect(refused.allSatisfy { !$0.topics.contains("com.example.bakery") })
            #expect(stack.service.requestCount(.post, "com.example.bakery") == 1)
            try await stack.apply(.setting(.lowPowerModeSet(isOn: true)))
            try await waitUntil("the gateway has the topics") {
                try await stack.registrations().allSatisfy { $0.topics.contains("com.example.bakery") }
            }
        }
    }

    // MARK: Rotations

    @Test func refusedRotationChangesNothing() async throws {
        try await FaultyStack.run { stack in
            let token = try #require(try await stack.deviceToken())
            stack.service.add(Fault(outcome: .refusal(503), method: .post, text: "/rotation"))
            await #expect(throws: CallError.self) { _ = try await stack.agent.rotateToken(of: FaultyStack.device) }
            let registered = try await stack.registrations()
            #expect(registered.map(\.token) == [token])
            #expect(registered.map(\.standing) == [.active])
            let next = try await stack.agent.rotateToken(of: FaultyStack.device).token
            #expect(next != token)
        }
    }

    /// The earlier token has ended, so the device must not keep it.
    @Test func newTokenIsKeptIfItsStandingCannotBeSet() async throws {
        try await FaultyStack.run { stack in
            let token = try #require(try await stack.deviceToken())
            _ = try await stack.gateway.setStanding(TokenStandingChange(standing: .expired), of: token)
            stack.service.add(Fault(outcome: .refusal(503), method: .put, text: "/standing"))
            let error = await #expect(throws: CallError.self) {
                _ = try await stack.agent.rotateToken(of: FaultyStack.device)
            }
            #expect(error.map { "\($0)" }?.contains("the device nevertheless has another token") == true)
            let next = try #require(try await stack.deviceToken())
            #expect(next != token)
            let registered = try await stack.gateway.device(next)
            #expect(registered.name == FaultyStack.device)
            let earlier = try await stack.gateway.device(token)
            #expect(earlier.standing == .unregistered)
            // Another rotation gives the device an active token.
            let last = try #require(try await stack.agent.rotateToken(of: FaultyStack.device).token)
            let active = try await stack.gateway.device(last)
            #expect(active.standing == .active)
        }
    }

    // MARK: The end

    /// A token that is not unregistered does not keep the others registered, and the device is gone in any case.
    @Test(arguments: [404, 500]) func removedDeviceUnregistersEveryTokenThatItCan(_ status: Int) async throws {
        try await FaultyStack.run { stack in
            try await stack.apply(.system(.appInstalled(FaultyStack.description)))
            let tokens = try await stack.tokens()
            let alerts = try #require(tokens[FaultyStack.alerts])
            stack.service.add(Fault(outcome: .refusal(status), method: .delete, text: alerts.rawValue))
            try await stack.agent.remove(FaultyStack.device)
            let devices = try await stack.agent.devices()
            #expect(devices.isEmpty)
            let registered = try await stack.registrations()
            let active = registered.filter { $0.standing == .active }
            #expect(active.map(\.token) == [alerts])
            #expect(registered.count == 3)
        }
    }

    @Test func removedDeviceThatIsOfflineStaysRegistered() async throws {
        try await FaultyStack.run { stack in
            try await stack.apply(.setting(.airplaneModeSet(isOn: true)))
            try await stack.agent.remove(FaultyStack.device)
            let registered = try await stack.registrations()
            #expect(registered.map(\.standing) == [.active])
        }
    }
}
