import DeviceModel
import Testing
import WaypostSchema

/// The push-to-start token of an app, which is another one after each start by a push.
@Suite struct StartTokenRenewalTests {
    private static let app = NotificationDevice.app
    private static let pushToStart = TokenPurpose(.pushToStart, of: app)
    private static let method = "pushToStartTokenUpdates"

    /// A device whose app has the push-to-start token `f0`.
    private static func device(_ settings: LiveActivitySettings?) throws -> NotificationDevice {
        var description = NotificationDevice.description()
        description.liveActivities = settings
        description.tokens = [.app, .pushToStart]
        var device = try NotificationDevice(app: description)
        device.apply(.token(.tokenAssigned(TokenPurpose(.app, of: app), "a0")))
        device.apply(.token(.tokenAssigned(pushToStart, "f0")))
        return device
    }

    /// Delivers a push for a Live Activity; returns the decision.
    @discardableResult
    private static func push(
        _ id: NotificationID,
        event: String = "start",
        to token: DeviceToken = "f0",
        of device: inout NotificationDevice
    ) throws -> LiveActivityDecision {
        let content = #""attributes-type":"Match","attributes":{},"content-state":{}"#
        let notification = DeliveredNotification(
            sequence: 1,
            id: id,
            token: token,
            topic: Topic(rawValue: "\(app).push-type.liveactivity"),
            pushType: "liveactivity",
            priority: 10,
            payload: try NotificationDevice.payload(#""event":"\#(event)","timestamp":100,\#(content)"#)
        )
        device.apply(.notification(.notificationDelivered(notification)))
        return try #require(device.model.decision(on: id)?.liveActivity)
    }

    private static func token(_ device: NotificationDevice) -> DeviceToken? {
        device.model.tokens.current.first { $0.purpose == pushToStart }?.token
    }

    @Test func startRequestsAnotherToken() throws {
        var device = try Self.device(LiveActivitySettings())
        let decision = try Self.push("a", of: &device)
        #expect(decision.outcome == .started)
        for part in ["gets another push-to-start token", "still answers 200", "(Apple: ", "kylebshr/luka-ios 146"] {
            #expect(decision.explanation.contains(part), "\(decision.explanation)")
        }
        #expect(Self.token(device) == nil)
        #expect(device.model.tokens.ended == [AppToken("f0", for: Self.pushToStart)])
        #expect(device.model.tokens.isRenewed("f0"))
        #expect(!device.model.tokens.isSettled)
        device.apply(.token(.tokenInvalidated("f0")))
        let effects = device.apply(.token(.tokenAssigned(Self.pushToStart, "f1")))
        #expect(effects == [.token(.tokenChanged(Self.pushToStart, "f1"))])
        #expect(device.model.tokens.isSettled)
        #expect(!device.model.tokens.isRenewed("f0"))
    }

    @Test(arguments: [nil, LiveActivitySettings(renewsStartToken: false)] as [LiveActivitySettings?])
    func appKeepsItsTokenWithoutTheRule(_ settings: LiveActivitySettings?) throws {
        var device = try Self.device(settings)
        let decision = try Self.push("a", of: &device)
        #expect(decision.outcome == .started)
        #expect(!decision.explanation.contains("push-to-start"), "\(decision.explanation)")
        #expect(Self.token(device) == "f0")
        #expect(device.model.tokens.isSettled)
    }

    @Test func onlyAStartThatIsAppliedRequestsAnotherToken() throws {
        var device = try Self.device(LiveActivitySettings(isAllowed: false))
        let dropped = try Self.push("a", of: &device)
        #expect(dropped.outcome == .ignored)
        #expect(Self.token(device) == "f0")
        device.apply(.setting(.liveActivitySettingsSet(Self.app, LiveActivitySettings(renewsStartToken: false))))
        try Self.push("b", of: &device)
        device.apply(.setting(.liveActivitySettingsSet(Self.app, LiveActivitySettings())))
        let end = try Self.push("c", event: "end", to: "00", of: &device)
        #expect(end.outcome == .ended)
        #expect(Self.token(device) == "f0")
    }

    /// Two starts on the way make two Live Activities.
    @Test func startOnTheWayIsApplied() throws {
        var device = try Self.device(LiveActivitySettings())
        try Self.push("a", of: &device)
        let second = try Self.push("b", of: &device)
        #expect(second.outcome == .started)
        #expect(!second.explanation.contains("another push-to-start token"), "\(second.explanation)")
        #expect(device.model.tokens.ended.count == 1)
    }

    @Test func processReceivesTheNextTokenAndNoLoss() throws {
        var device = try Self.device(LiveActivitySettings())
        var process = AppProcess(of: Self.app)
        _ = process.newEvents(on: device.model)
        try Self.push("a", of: &device)
        let before = process.newEvents(on: device.model)
        device.apply(.token(.tokenInvalidated("f0")))
        let between = process.newEvents(on: device.model)
        #expect((before + between).isEmpty)
        device.apply(.token(.tokenAssigned(Self.pushToStart, "f1")))
        let after = process.newEvents(on: device.model)
        #expect(after == [.tokenChanged(Self.pushToStart, "f1", method: Self.method)])
    }

    @Test func processLearnsThatTheNextTokenIsNotComing() throws {
        var device = try Self.device(LiveActivitySettings())
        var process = AppProcess(of: Self.app)
        _ = process.newEvents(on: device.model)
        try Self.push("a", of: &device)
        _ = process.newEvents(on: device.model)
        device.apply(.token(.tokenReleased(Self.pushToStart)))
        let events = process.newEvents(on: device.model)
        #expect(events == [.tokenChanged(Self.pushToStart, nil, method: nil)])
    }

    @Test func rotationIsNoRenewal() throws {
        var device = try Self.device(LiveActivitySettings())
        device.apply(.token(.tokenInvalidated("f0")))
        #expect(device.model.tokens.ended == [AppToken("f0", for: Self.pushToStart)])
        #expect(!device.model.tokens.isRenewed("f0"))
    }

    @Test func earlierStateBringsNoRenewedTokenBack() throws {
        var device = try Self.device(LiveActivitySettings())
        device.apply(.system(.snapshotTaken("before")))
        try Self.push("a", of: &device)
        device.apply(.system(.deviceRestored(snapshot: "before")))
        #expect(Self.token(device) == nil)
        #expect(device.model.tokens.isRenewed("f0"))
    }
}
