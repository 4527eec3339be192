import DeviceAgent
import DeviceModel
import Foundation
import Gateway
import GatewayClient
import GatewayTestSupport
import PushRules
import Testing
import WaypostSchema
import WaypostTestSupport

/// The tokens of an app on a device, with a gateway.
@Suite(.timeLimit(.minutes(5))) struct TokenRegistrarTests {
    private static let app = AppDescription(
        bundleIdentifier: AppAgent.tv,
        scenes: [SceneSession(persistentIdentifier: "main")],
        backgroundModes: [.voip],
        tokens: [.app, .voip, .control]
    )
    private static let alerts = TokenPurpose(.app, of: AppAgent.tv)
    private static let voip = TokenPurpose(.voip, of: AppAgent.tv)

    /// An agent whose TV app has tokens, and the clients of its gateway.
    private struct Stack: Sendable {
        let agent: AppAgent
        let gateway: GatewayClient

        /// Returns the tokens by purpose, once `count` are assigned.
        func tokens(_ count: Int, of device: String = AppAgent.device) async throws -> [TokenPurpose: DeviceToken] {
            let tokens = try await agent.client.tokens(of: device, atLeast: count)
            let pairs = tokens.compactMap { token in token.token.map { (token.purpose, $0) } }
            return Dictionary(uniqueKeysWithValues: pairs)
        }

        /// Sends a notification, and returns the refusal, if any.
        func send(
            _ id: NotificationID,
            to token: DeviceToken?,
            _ topic: Topic,
            _ pushType: PushType = .alert
        ) async throws -> ItemResult? {
            let item = BatchItem(
                token: try #require(token),
                topic: topic,
                pushType: pushType,
                id: id,
                payload: .object(["aps": .object(["alert": .string("Lasso")])])
            )
            let receipt = try await gateway.send(Array(try JSONEncoder().encode(item)))
            guard receipt.rejected == 0 else { return receipt.results.first }
            let status = try await gateway.settledStatus(of: receipt.id, within: 60)
            #expect(status.states == [.acknowledged: 1])
            return nil
        }

        /// Starts a Live Activity by a push, and returns the states of the batch.
        func start(
            _ id: NotificationID,
            at token: DeviceToken,
            of purpose: TokenPurpose
        ) async throws -> [DeliveryState: Int] {
            let aps: [String: JSONValue] = [
                "event": .string("start"), "timestamp": .integer(0), "attributes-type": .string("Match"),
                "attributes": .object([:]), "content-state": .object([:]),
            ]
            let item = BatchItem(
                token: token,
                topic: purpose.topic,
                pushType: "liveactivity",
                id: id,
                payload: .object(["aps": .object(aps)])
            )
            let receipt = try await gateway.send(Array(try JSONEncoder().encode(item)))
            return try await gateway.settledStatus(of: receipt.id, within: 60).states
        }
    }

    private static func run(
        sources agentSources: AgentSources = .waiting,
        _ body: @escaping @Sendable (Stack) async throws -> Void
    ) async throws {
        // The tokens of a gateway that has lost its data must be new.
        var sources = GatewaySources.forTests()
        sources.randomBytes = { count in (0..<count).map { _ in UInt8.random(in: 0...255) } }
        try await RunningGateway.run(sources: sources) { gateway in
            try await AppAgent.run(of: gateway, sources: agentSources) { agent in
                try await agent.apply([.system(.appInstalled(app))])
                let (service, courier) = (gateway.ready.service, gateway.ready.courier)
                let client = GatewayClient(gateway.http, service: service, courier: courier)
                try await body(Stack(agent: agent, gateway: client))
            }
        }
    }

    private static let ids: [NotificationID] = [
        "c1000000-0000-4000-8000-000000000001", "c1000000-0000-4000-8000-000000000002",
    ]

    @Test func eachTokenGetsOnlyThePushesOfItsPurpose() async throws {
        try await Self.run { stack in
            let tokens = try await stack.tokens(2)
            #expect(Set(tokens.keys) == [Self.alerts, Self.voip])
            let base = try #require(try await stack.agent.client.devices().first?.token)
            #expect(!tokens.values.contains(base))
            let (topic, calls): (Topic, Topic) = ("com.example.tv", "com.example.tv.voip")
            let impossible: [(DeviceToken?, Topic, PushType)] = [
                (base, topic, .alert), (base, calls, "voip"), (tokens[Self.voip], topic, .alert),
                (tokens[Self.alerts], calls, "voip"),
            ]
            for (token, otherTopic, pushType) in impossible {
                let refusal = try await stack.send(Self.ids[0], to: token, otherTopic, pushType)
                #expect(refusal?.reason == .deviceTokenNotForTopic)
            }
            let alert = try await stack.send(Self.ids[0], to: tokens[Self.alerts], topic)
            #expect(alert == nil)
            let call = try await stack.send(Self.ids[1], to: tokens[Self.voip], calls, "voip")
            #expect(call == nil)
            let notifications = try await stack.agent.client.notifications(of: AppAgent.device)
            #expect(notifications.map(\.id) == [Self.ids[0]])
            let explained = try await stack.agent.client.explain(Self.ids[1], on: AppAgent.device)
            #expect(explained.launch != nil)
        }
    }

    @Test func tokensOfARemovedAppAreGone() async throws {
        try await Self.run { stack in
            let tokens = try await stack.tokens(2)
            try await stack.agent.apply([.system(.appRemoved(AppAgent.tv))])
            for (purpose, token) in tokens {
                let pushType: PushType = purpose == Self.voip ? "voip" : .alert
                let refusal = try await stack.send(Self.ids[0], to: token, purpose.topic, pushType)
                #expect(refusal?.status == 410)
                #expect(refusal?.reason == .unregistered)
                #expect(refusal?.timestamp != nil)
            }
            let left = try await stack.tokens(0)
            #expect(left.isEmpty)
        }
    }

    @Test func appThatIsInstalledAgainHasNewTokens() async throws {
        try await Self.run { stack in
            let first = try await stack.tokens(2)
            try await stack.agent.apply([.system(.appRemoved(AppAgent.tv)), .system(.appInstalled(Self.app))])
            let second = try await stack.tokens(2)
            #expect(second.count == 2)
            #expect(Set(first.values).isDisjoint(with: second.values))
        }
    }

    @Test func gatewayThatLostItsDataAssignsNewTokens() async throws {
        try await Self.run(sources: .forTests) { stack in
            let first = try await stack.tokens(2)
            try await stack.gateway.reset(.standard)
            try await waitUntil("there are new tokens") {
                let second = try await stack.tokens(2)
                return second.count == 2 && Set(first.values).isDisjoint(with: second.values)
            }
            let tokens = try await stack.tokens(2)
            for (purpose, token) in tokens {
                let registered = try await stack.gateway.device(token)
                #expect(registered.standing == .active)
                #expect(registered.topics == [purpose.topic])
            }
        }
    }

    @Test func lowPowerIsThatOfEachToken() async throws {
        try await Self.run { stack in
            let tokens = try await stack.tokens(2)
            for isOn in [true, false] {
                try await stack.agent.apply([.setting(.lowPowerModeSet(isOn: isOn))])
                for token in tokens.values {
                    try await waitUntil("the token has the power of the device") {
                        try await stack.gateway.device(token).powerConstrained == isOn
                    }
                }
            }
        }
    }

    @Test func restoredBackupReplacesEveryTokenOfTheDevice() async throws {
        try await Self.run { stack in
            let (client, tokens) = (stack.agent.client, try await stack.tokens(2))
            let previous = try await client.devices().first?.token
            let backup = try await client.description(of: AppAgent.device)
            let restoration = try await client.restore(backup: backup, on: AppAgent.device)
            let restored = try await stack.tokens(2)
            #expect(restoration.tokens.map(\.purpose) == [nil, Self.alerts, Self.voip])
            #expect(restoration.tokens.map(\.previous) == [previous, tokens[Self.alerts], tokens[Self.voip]])
            let device = try await client.devices().first?.token
            #expect(restoration.tokens.map(\.token) == [device, restored[Self.alerts], restored[Self.voip]])
            #expect(device != previous)
            #expect(Set(restored.values).isDisjoint(with: tokens.values))
            for token in tokens.values {
                let registered = try await stack.gateway.device(token)
                #expect(registered.standing == .unregistered)
            }
            #expect(restoration.explanation.contains("the VoIP token of \(AppAgent.tv)"))
        }
    }

    /// A photograph of the maximum size is larger than other bodies may be.
    @Test func backupMayBeAsLargeAsANewDevice() async throws {
        try await Self.run { stack in
            var backup = try await stack.agent.client.description(of: AppAgent.device)
            // A header of one pixel, and nothing that is decoded.
            let header = try #require(Data(base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1Pe"))
            let rest = Data(repeating: 0, count: Contact.maximumPhotoSize - header.count)
            let photo = (header + rest).base64EncodedString()
            backup.contacts = [Contact(id: "enrique", givenName: "Enrique", photo: photo, handles: ["+14085550101"])]
            let restoration = try await stack.agent.client.restore(backup: backup, on: AppAgent.device)
            #expect(restoration.from == AppAgent.device)
        }
    }

    @Test func eventWithABackupIsRefusedBecauseTheDeviceNeedsAnotherTokenToo() async throws {
        try await Self.run { stack in
            let backup = try await stack.agent.client.description(of: AppAgent.device)
            let error = await #expect(throws: CallError.self) {
                _ = try await stack.agent.client.apply(.system(.backupRestored(backup)), to: AppAgent.device)
            }
            #expect(error.map { "\($0)" }?.contains("POST …/restoration restores a backup") == true)
        }
    }

    @Test func copyHasTokensOfItsOwnUntilItIsRemoved() async throws {
        try await Self.run { stack in
            let tokens = try await stack.tokens(2)
            _ = try await stack.agent.client.fork(AppAgent.device, as: DeviceFork(name: "copy"))
            let copied = try await stack.tokens(2, of: "copy")
            #expect(Set(copied.keys) == Set(tokens.keys))
            #expect(Set(copied.values).isDisjoint(with: tokens.values))
            try await stack.agent.client.remove("copy")
            for token in copied.values {
                let registered = try await stack.gateway.device(token)
                #expect(registered.standing == .unregistered)
            }
            for token in tokens.values {
                let registered = try await stack.gateway.device(token)
                #expect(registered.standing == .active)
            }
        }
    }

    @Test func agentKeepsTheNewTokenOfItsDevice() async throws {
        try await Self.run { stack in
            let previous = try #require(try await stack.agent.client.devices().first?.token)
            let token = try #require(try await stack.agent.client.rotateToken(of: AppAgent.device).token)
            #expect(token != previous)
            // The agent registers the device again, because it has other topics.
            let bakery = AppDescription(bundleIdentifier: "com.example.bakery", scenes: [])
            try await stack.agent.apply([.system(.appInstalled(bakery))])
            let status = try await stack.agent.client.devices().first
            #expect(status?.token == token)
            let registered = try await stack.gateway.device(token)
            #expect(registered.standing == .active)
            #expect(registered.topics.contains("com.example.bakery"))
            let refusal = try await stack.send(Self.ids[0], to: previous, "com.example.bakery")
            #expect(refusal?.status == 410)
            let alert = try await stack.send(Self.ids[0], to: token, "com.example.bakery")
            #expect(alert == nil)
        }
    }

    @Test func newTokenOfADeviceIsActiveAfterAnExpiredOne() async throws {
        try await Self.run { stack in
            let previous = try #require(try await stack.agent.client.devices().first?.token)
            _ = try await stack.gateway.setStanding(TokenStandingChange(standing: .expired), of: previous)
            let token = try #require(try await stack.agent.client.rotateToken(of: AppAgent.device).token)
            let registered = try await stack.gateway.device(token)
            #expect(registered.standing == .active)
        }
    }

    @Test func simultaneousRotationsLeaveAnActiveToken() async throws {
        try await Self.run { stack in
            async let first = stack.agent.client.rotateToken(of: AppAgent.device)
            async let second = stack.agent.client.rotateToken(of: AppAgent.device)
            let tokens = try await [first.token, second.token]
            let status = try #require(try await stack.agent.client.devices().first)
            #expect(tokens.contains(status.token))
            let registered = try await stack.gateway.device(try #require(status.token))
            #expect(registered.standing == .active)
        }
    }

    @Test func earlierStartTokenIsAcceptedAndStartsNothing() async throws {
        let football: BundleIdentifier = "com.example.football"
        let pushToStart = TokenPurpose(.pushToStart, of: football)
        let app = AppDescription(
            bundleIdentifier: football,
            scenes: [],
            supportsLiveActivities: true,
            liveActivities: LiveActivitySettings(),
            tokens: [.pushToStart]
        )
        try await Self.run { stack in
            try await stack.agent.apply([.system(.appInstalled(app))])
            let first = try #require(try await stack.tokens(3)[pushToStart])
            let start = try await stack.start(Self.ids[0], at: first, of: pushToStart)
            #expect(start == [.acknowledged: 1])
            try await waitUntil("there is another token") {
                guard let token = try await stack.tokens(3)[pushToStart] else { return false }
                return token != first
            }
            // The device has its new token before the earlier one ends at the gateway.
            try await waitUntil("the earlier token has an end") {
                try await stack.gateway.device(first).standing == .unregistered
            }
            let end = try await stack.gateway.device(first).since
            let clock = try await stack.gateway.clock()
            #expect(end > clock.now)
            let late = try await stack.start(Self.ids[1], at: first, of: pushToStart)
            #expect(late == [.dropped: 1])
            let activities = try await stack.agent.client.liveActivities(of: AppAgent.device)
            #expect(activities.map(\.id) == [Self.ids[0]])
        }
    }

    @Test func activityIsListedWithItsToken() async throws {
        let football: BundleIdentifier = "com.example.football"
        let pushToStart = TokenPurpose(.pushToStart, of: football)
        let app = AppDescription(
            bundleIdentifier: football,
            scenes: [],
            supportsLiveActivities: true,
            tokens: [.pushToStart, .liveActivity]
        )
        try await Self.run { stack in
            try await stack.agent.apply([.system(.appInstalled(app))])
            let token = try #require(try await stack.tokens(3)[pushToStart])
            let start = try await stack.start(Self.ids[0], at: token, of: pushToStart)
            #expect(start == [.acknowledged: 1])
            let activities = try await stack.agent.client.liveActivities(of: AppAgent.device)
            #expect(activities.map { $0.token == nil } == [false])
        }
    }

    @Test func deviceInAirplaneModeKeepsItsToken() async throws {
        try await Self.run { stack in
            try await stack.agent.apply([.setting(.airplaneModeSet(isOn: true))])
            let error = await #expect(throws: CallError.self) {
                _ = try await stack.agent.client.rotateToken(of: AppAgent.device)
            }
            guard case .refused(409, let refusal) = error else {
                Issue.record("\(error as Any)")
                return
            }
            #expect(refusal.code.rawValue == "offline")
        }
    }

    @Test func processRequestsAndReleasesATokenWithAName() async throws {
        try await Self.run { stack in
            let process = try await stack.agent.process(of: AppAgent.tv)
            let calls = try await stack.agent.calls(of: AppAgent.tv)
            let control = TokenPurpose(.control, of: AppAgent.tv, name: "play/pause")
            let events = try await process.events {
                try await calls.send(.post, "/v1/app/tokens", body: TokenRequest(kind: .control, name: "play/pause"))
            } until: { events in
                events.contains { if case .tokenChanged(control, _?, _) = $0 { true } else { false } }
            }
            let tokens = try await stack.tokens(3)
            let event = AppEvent.tokenChanged(control, tokens[control], method: "pushTokensDidChange(controls:)")
            #expect(events.contains(event))
            try await calls.delete("/v1/app/tokens?kind=control&name=play%2Fpause")
            let left = try await stack.tokens(2)
            #expect(Set(left.keys) == [Self.alerts, Self.voip])
            let registered = try await stack.gateway.device(try #require(tokens[control]))
            #expect(registered.standing == .unregistered)
        }
    }

    @Test(
        arguments: [
            (TokenRequest(kind: .widgets), 409, "undeclaredToken"),
            (TokenRequest(kind: .control), 400, "unusableTokenName"),
            (TokenRequest(kind: .voip, name: "calls"), 400, "unusableTokenName"),
        ]
    )
    func impossibleRequestIsRefused(_ request: TokenRequest, _ status: Int, code: String) async throws {
        try await Self.run { stack in
            let calls = try await stack.agent.calls(of: AppAgent.tv)
            let error = await #expect(throws: CallError.self) {
                try await calls.send(.post, "/v1/app/tokens", body: request)
            }
            guard case .refused(status, let refusal) = error else {
                Issue.record("\(error as Any)")
                return
            }
            #expect(refusal.code.rawValue == code)
        }
    }
}
