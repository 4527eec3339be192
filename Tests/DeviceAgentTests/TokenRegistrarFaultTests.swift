import DeviceAgent
import GatewayClient
import HTTPTypes
import Testing
import WaypostSchema
import WaypostTestSupport

/// The tokens of an app if the gateway refuses requests for a while, or answers are lost.
@Suite(.timeLimit(.minutes(5))) struct TokenRegistrarFaultTests {
    typealias Fault = FaultyService.Fault

    /// Expects that the gateway has the tokens of the device and of its app, each once and active.
    private static func expectEachTokenOnce(_ stack: FaultyStack) async throws {
        let tokens = try await stack.tokens()
        let deviceToken = try await stack.deviceToken()
        let registered = try await stack.registrations()
        #expect(registered.allSatisfy { $0.standing == .active })
        #expect(registered.count == 3, "\(registered)")
        #expect(Set(registered.map(\.token)) == Set(tokens.values).union(deviceToken.map { [$0] } ?? []))
        for (purpose, token) in tokens {
            #expect(registered.first { $0.token == token }?.topics == [purpose.topicOfTest])
        }
    }

    /// A time-out and a limit of requests are over later, and so are faults of the gateway or of its network.
    @Test(
        arguments: [
            Fault(outcome: .refusal(408), method: .post, text: FaultyStack.voipRegistration, count: 2),
            Fault(outcome: .refusal(429), method: .post, text: FaultyStack.voipRegistration, count: 2),
            Fault(outcome: .refusal(503), method: .post, text: FaultyStack.voipRegistration, count: 2),
            Fault(outcome: .lostAnswer, method: .post, text: FaultyStack.voipRegistration),
            Fault(outcome: .lostAnswer, method: .post, text: FaultyStack.voipRegistration, count: 3),
        ]
    )
    func tokenIsRegisteredLater(_ fault: Fault) async throws {
        try await FaultyStack.run(faults: [fault]) { stack in
            try await stack.apply(.system(.appInstalled(FaultyStack.description)))
            try await stack.waitForFaults()
            try await Self.expectEachTokenOnce(stack)
            #expect(stack.service.requestCount(.post, FaultyStack.voipRegistration) > fault.count)
        }
    }

    /// The search for a token whose answer was lost may fail, too.
    @Test func searchForALostTokenIsRepeated() async throws {
        let faults = [
            Fault(outcome: .lostAnswer, method: .post, text: FaultyStack.voipRegistration),
            Fault(outcome: .refusal(503), method: .get, text: "standing=active", count: 2),
        ]
        try await FaultyStack.run(faults: faults) { stack in
            try await stack.apply(.system(.appInstalled(FaultyStack.description)))
            try await stack.waitForFaults()
            try await Self.expectEachTokenOnce(stack)
        }
    }

    /// The app is removed while the agent looks for the token.
    @Test func lostTokenOfARemovedAppIsUnregistered() async throws {
        let faults = [
            Fault(outcome: .lostAnswer, method: .post, text: FaultyStack.voipRegistration),
            Fault(outcome: .refusal(503), method: .get, text: "standing=active", count: 30),
        ]
        try await FaultyStack.run(faults: faults) { stack in
            try await stack.apply(.system(.appInstalled(FaultyStack.description)))
            try await stack.apply(.system(.appRemoved(FaultyStack.app)))
            try await waitUntil("both tokens are unregistered") {
                try await stack.registrations().count { $0.standing == .unregistered } == 2
            }
            let registered = try await stack.registrations()
            #expect(registered.filter { $0.standing == .active }.map(\.purpose) == [nil])
        }
    }

    private static func appWithActivities(hasRun: Bool) -> AppDescription {
        AppDescription(
            bundleIdentifier: FaultyStack.app,
            scenes: [SceneSession(persistentIdentifier: "main")],
            supportsLiveActivities: true,
            liveActivities: LiveActivitySettings(hasRun: hasRun),
            tokens: [.pushToStart]
        )
    }

    /// The app is installed again, and has not run, while the gateway assigns the token for which it waited.
    @Test func tokenForWhichNoAppWaitsIsUnregistered() async throws {
        let held = Fault(outcome: .heldAnswer, method: .post, text: #""kind":"pushToStart""#)
        try await FaultyStack.run(faults: [held]) { stack in
            let (first, second) = (Self.appWithActivities(hasRun: true), Self.appWithActivities(hasRun: false))
            // The agent waits for the token.
            async let installation: Void = stack.apply(.system(.appInstalled(first)))
            try await stack.waitForFaults()
            try await stack.apply(.system(.appRemoved(FaultyStack.app)))
            try await stack.apply(.system(.appInstalled(second)))
            stack.service.releaseAnswers()
            try await installation
            try await waitUntil("the token is unregistered") {
                try await stack.registrations().contains { $0.standing == .unregistered }
            }
            let tokens = try await stack.agent.tokens(of: FaultyStack.device)
            #expect(tokens.isEmpty)
        }
    }

    /// A token of another agent with a device of the same name is not taken.
    @Test func lostTokenIsNotThatOfAnotherAgent() async throws {
        let fault = Fault(outcome: .refusal(503), method: .post, text: FaultyStack.voipRegistration)
        try await FaultyStack.run(faults: [fault]) { stack in
            let registration = DeviceRegistration(
                name: FaultyStack.device,
                topics: [FaultyStack.voip.topicOfTest],
                purpose: FaultyStack.voip
            )
            let other = try await stack.gateway.register(registration)
            try await stack.apply(.system(.appInstalled(FaultyStack.description)))
            let tokens = try await stack.tokens()
            #expect(tokens.count == 2)
            #expect(!tokens.values.contains(other.token))
            let registered = try await stack.registrations()
            #expect(registered.count == 4)
        }
    }

    @Test(arguments: [408, 429, 503]) func powerOfATokenIsReportedLater(_ status: Int) async throws {
        try await FaultyStack.run { stack in
            try await stack.apply(.system(.appInstalled(FaultyStack.description)))
            let tokens = try await stack.tokens()
            for token in tokens.values {
                stack.service.add(
                    Fault(outcome: .refusal(status), method: .put, text: "\(token)/power", count: 2)
                )
            }
            try await stack.apply(.setting(.lowPowerModeSet(isOn: true)))
            try await waitUntil("every token has the power of the device") {
                try await stack.registrations().allSatisfy(\.powerConstrained)
            }
            #expect(stack.service.faultCount == 0)
            let tokensLater = try await stack.tokens()
            #expect(tokensLater == tokens)
            try await Self.expectEachTokenOnce(stack)
        }
    }

    /// The power of a new token is reported before the registration counts.
    @Test func newTokenOfADeviceWithLowPowerHasItsPowerLater() async throws {
        try await FaultyStack.run { stack in
            try await stack.apply(.setting(.lowPowerModeSet(isOn: true)))
            try await waitUntil("the device has its power") {
                try await stack.registrations().allSatisfy(\.powerConstrained)
            }
            stack.service.add(Fault(outcome: .refusal(503), method: .put, text: "/power", count: 3))
            try await stack.apply(.system(.appInstalled(FaultyStack.description)))
            try await waitUntil("the tokens have the power of the device") {
                let registered = try await stack.registrations()
                return registered.count == 3 && registered.allSatisfy(\.powerConstrained)
            }
            try await Self.expectEachTokenOnce(stack)
        }
    }

    @Test(arguments: [408, 429, 503]) func tokenOfARemovedAppIsUnregisteredLater(_ status: Int) async throws {
        try await FaultyStack.run { stack in
            try await stack.apply(.system(.appInstalled(FaultyStack.description)))
            let tokens = try await stack.tokens()
            let voip = try #require(tokens[FaultyStack.voip])
            stack.service.add(Fault(outcome: .refusal(status), method: .delete, text: voip.rawValue, count: 2))
            try await stack.apply(.system(.appRemoved(FaultyStack.app)))
            try await waitUntil("both tokens are unregistered") {
                let registered = try await stack.registrations()
                return registered.count { $0.standing == .unregistered } == 2
            }
            #expect(stack.service.faultCount == 0)
            let registered = try await stack.registrations()
            #expect(registered.filter { $0.standing == .active }.map(\.purpose) == [nil])
        }
    }

    @Test func restorationNamesWhatTheGatewayHasNotReceived() async throws {
        try await FaultyStack.run { stack in
            try await stack.apply(.system(.appInstalled(FaultyStack.description)))
            let tokens = try await stack.tokens()
            let alerts = try #require(tokens[FaultyStack.alerts])
            stack.service.add(Fault(outcome: .refusal(400), method: .post, text: FaultyStack.voipRegistration))
            stack.service.add(Fault(outcome: .refusal(400), method: .delete, text: alerts.rawValue))
            let backup = try await stack.agent.description(of: FaultyStack.device)
            let restoration = try await stack.agent.restore(backup: backup, on: FaultyStack.device)
            let explanation = restoration.explanation
            let voip = "the gateway has not assigned these yet: the VoIP token of \(FaultyStack.app)"
            #expect(explanation.contains(voip), "\(explanation)")
            #expect(explanation.contains("410 Unregistered once the gateway has been notified"), "\(explanation)")
        }
    }

    /// Changes while the device is offline reach the gateway when it is online again.
    @Test func tokensChangeOffline() async throws {
        try await FaultyStack.run { stack in
            try await stack.apply(.system(.appInstalled(FaultyStack.description)))
            let tokens = try await stack.tokens()
            try await stack.apply(.setting(.airplaneModeSet(isOn: true)))
            try await waitUntil("the device is offline") {
                try await stack.agent.devices().allSatisfy { !$0.isConnected }
            }
            try await stack.apply(.system(.appRemoved(FaultyStack.app)))
            try await stack.apply(.system(.appInstalled(FaultyStack.description)))
            let offline = try await stack.tokens(0)
            #expect(offline.isEmpty)
            let registered = try await stack.registrations()
            #expect(registered.allSatisfy { $0.standing == .active })
            try await stack.apply(.setting(.airplaneModeSet(isOn: false)))
            let tokensLater = try await stack.tokens()
            #expect(tokensLater.count == 2)
            #expect(Set(tokensLater.values).isDisjoint(with: tokens.values))
            try await waitUntil("the former tokens are unregistered") {
                try await stack.registrations().filter { $0.standing == .unregistered }.count == 2
            }
        }
    }
}

extension TokenPurpose {
    /// The topic of the token, written out.
    fileprivate var topicOfTest: Topic {
        kind == .voip ? "com.example.tv.voip" : "com.example.tv"
    }
}
