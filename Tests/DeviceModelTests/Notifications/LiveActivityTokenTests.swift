import DeviceModel
import PushRules
import Testing
import WaypostSchema

/// The tokens of Live Activities, and what arrives at them.
@Suite struct LiveActivityTokenTests {
    private static let app = NotificationDevice.app
    private static let pushToStart = TokenPurpose(.pushToStart, of: app)
    private static let start =
        #""event":"start","timestamp":100,"attributes-type":"Match","attributes":{},"content-state":{"goals":0}"#
    private static let update = #""event":"update","timestamp":200,"content-state":{"goals":1}"#
    private static let end = #""event":"end","timestamp":200"#
    private static let channel: CollapseIdentifier = "aG9ua2hvbmtob25raG9uaw=="

    private static func purpose(_ activity: String) -> TokenPurpose {
        TokenPurpose(.liveActivity, of: app, name: activity)
    }

    /// A device whose app has the push-to-start token `f0` and the Live Activities `a` and `b` with tokens.
    private static func device() throws -> NotificationDevice {
        var description = NotificationDevice.description()
        description.tokens = [.pushToStart, .liveActivity]
        var device = try NotificationDevice(app: description)
        device.apply(.token(.tokenAssigned(pushToStart, "f0")))
        for (activity, token) in [("a", "a0"), ("b", "b0")] as [(String, DeviceToken)] {
            try push(NotificationID(rawValue: activity), start, to: "f0", of: &device)
            device.apply(.token(.tokenAssigned(purpose(activity), token)))
        }
        return device
    }

    /// Delivers a notification to a token; returns the decision, and the effects.
    @discardableResult
    private static func push(
        _ id: NotificationID,
        _ aps: String,
        to token: DeviceToken,
        collapseID: CollapseIdentifier? = nil,
        of device: inout NotificationDevice
    ) throws -> (decision: LiveActivityDecision, effects: [DeviceEffect]) {
        let notification = DeliveredNotification(
            sequence: 1,
            id: id,
            token: token,
            topic: purpose("").topic,
            pushType: "liveactivity",
            priority: 10,
            collapseID: collapseID,
            payload: try NotificationDevice.payload(aps)
        )
        let effects = device.apply(.notification(.notificationDelivered(notification)))
        return (try #require(device.model.decision(on: id)?.liveActivity), effects)
    }

    private static func goals(_ device: NotificationDevice) -> [JSONValue?] {
        device.model.liveActivities.map(\.contentState["goals"])
    }

    @Test func startRequestsATokenForEachActivity() throws {
        let device = try Self.device()
        #expect(device.model.liveActivities.map(\.token) == ["a0", "b0"])
        let tokens = device.model.tokens(of: Self.app)
        #expect(tokens.map(\.purpose) == [Self.pushToStart, Self.purpose("a"), Self.purpose("b")])
    }

    @Test func updateChangesTheActivityOfItsToken() throws {
        var device = try Self.device()
        let (decision, effects) = try Self.push("u", Self.update, to: "a0", of: &device)
        #expect((decision.outcome, decision.activity) == (.updated, "a"))
        #expect(Self.goals(device) == [.integer(1), .integer(0)])
        #expect(effects == [.notification(.liveActivityChanged(device.model.liveActivities[0]))])
    }

    @Test func updateToAnotherTokenChangesTheNewestActivity() throws {
        var device = try Self.device()
        let decision = try Self.push("u", Self.update, to: "00", of: &device).decision
        #expect(decision.activity == "b")
        #expect(!decision.gates.map(\.gate).contains(.token))
    }

    @Test func broadcastChangesTheActivityThatListensToItsChannel() throws {
        var device = try Self.device()
        try Self.push("c", Self.start + #","input-push-channel":"\#(Self.channel.rawValue)""#, to: "f0", of: &device)
        try Self.push("d", Self.start, to: "f0", of: &device)
        let decision = try Self.push("u", Self.update, to: "00", collapseID: Self.channel, of: &device).decision
        #expect((decision.outcome, decision.activity) == (.updated, "c"))
        let gate = try #require(decision.gates.first { $0.gate == .token })
        #expect(gate.status == .pass)
        #expect(gate.explanation.contains("the channel \(Self.channel.rawValue), to which the Live Activity c listens"))
        #expect(Self.goals(device) == [.integer(0), .integer(0), .integer(1), .integer(0)])
    }

    /// A word of letters may be base64, but the identifiers of channels have 16 bytes.
    @Test(arguments: ["score123", "aG9uaw==", "aG9ua2hvbmtob25raG9ua2hvbms="] as [CollapseIdentifier])
    func anotherCollapseIdentifierMakesNoBroadcast(_ collapseID: CollapseIdentifier) throws {
        var device = try Self.device()
        let decision = try Self.push("u", Self.update, to: "00", collapseID: collapseID, of: &device).decision
        #expect((decision.outcome, decision.activity) == (.updated, "b"))
        #expect(!decision.gates.map(\.gate).contains(.token))
    }

    @Test func channelOfADismissedActivityReachesNoOther() throws {
        var device = try Self.device()
        try Self.push("c", Self.start + #","input-push-channel":"\#(Self.channel.rawValue)""#, to: "f0", of: &device)
        device.apply(.notification(.liveActivityDismissed("c")))
        let decision = try Self.push("u", Self.update, to: "00", collapseID: Self.channel, of: &device).decision
        #expect(NotificationDevice.failure(decision.gates) == [.token])
        #expect(Self.goals(device) == [.integer(0), .integer(0)])
    }

    @Test func collapseIdentifierMakesNoBroadcastForAnAppWithoutTokens() throws {
        var device = try NotificationDevice()
        try Self.push("a", Self.start, to: "00", of: &device)
        let decision = try Self.push("u", Self.update, to: "00", collapseID: Self.channel, of: &device).decision
        #expect((decision.outcome, decision.activity) == (.updated, "a"))
    }

    @Test(arguments: [(start, "a0"), (update, "f0"), (end, "f0")] as [(String, DeviceToken)])
    func tokenIsForItsEventsOnly(_ aps: String, _ token: DeviceToken) throws {
        var device = try Self.device()
        let former = device.model.liveActivities
        let decision = try Self.push("n", aps, to: token, of: &device).decision
        #expect(decision.outcome == .ignored)
        #expect(NotificationDevice.failure(decision.gates) == [.token])
        #expect(device.model.liveActivities == former)
    }

    @Test func tokenEndsWithItsActivity() throws {
        var device = try Self.device()
        let effects = try Self.push("e", Self.end, to: "a0", of: &device).effects
        #expect(effects.last == .token(.tokenChanged(Self.purpose("a"), nil)))
        #expect(device.model.liveActivities.map(\.token) == [nil, "b0"])
        #expect(device.model.tokens.ended == [AppToken("a0", for: Self.purpose("a"))])
        let late = try Self.push("u", Self.update, to: "a0", of: &device).decision
        #expect(NotificationDevice.failure(late.gates) == [.activity])
        #expect(Self.goals(device) == [.integer(0), .integer(0)])
    }

    @Test func tokensEndWithTime() throws {
        var device = try Self.device()
        device.wait(8 * NotificationDevice.hour)
        #expect(device.model.tokens.ended.map(\.token) == ["a0", "b0"])
        #expect(device.model.tokens.current.map(\.purpose) == [Self.pushToStart])
    }

    @Test func tokenEndsIfThePersonRemovesTheActivity() throws {
        var device = try Self.device()
        let effects = device.apply(.notification(.liveActivityDismissed("b")))
        #expect(effects.last == .token(.tokenChanged(Self.purpose("b"), nil)))
        #expect(device.model.tokens(of: Self.app).map(\.purpose) == [Self.pushToStart, Self.purpose("a")])
    }

    @Test func updateOfTheAppDecidesWhetherActivitiesHaveTokens() throws {
        var device = try Self.device()
        var description = NotificationDevice.description()
        description.tokens = [.pushToStart]
        device.apply(.system(.appInstalled(description)))
        #expect(device.model.liveActivities.map(\.token) == [nil, nil])
        description.tokens = [.pushToStart, .liveActivity]
        device.apply(.system(.appInstalled(description)))
        let requested = device.model.tokens.current.map(\.purpose)
        #expect(requested == [Self.pushToStart, Self.purpose("a"), Self.purpose("b")])
    }

    @Test func onlyARunningActivityHasAToken() throws {
        var device = try Self.device()
        guard
            case .system(.eventIgnored(let ignored)) = device.apply(.token(.tokenRequested(Self.purpose("c")))).first
        else {
            Issue.record("a token was requested")
            return
        }
        #expect(ignored.reason == .unknownLiveActivity)
    }

    @Test func activityOfAnAppWithoutDeclarationHasNoToken() throws {
        var device = try NotificationDevice()
        try Self.push("a", Self.start, to: "00", of: &device)
        #expect(device.model.liveActivities.map(\.token) == [nil])
        #expect(device.model.tokens.isSettled)
    }
}
