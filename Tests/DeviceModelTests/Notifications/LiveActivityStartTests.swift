import DeviceModel
import Testing
import WaypostSchema

/// Starts of Live Activities by pushes: their preconditions, their budget, and the token that follows.
@Suite struct LiveActivityStartTests {
    private static let app = NotificationDevice.app
    private static let activityToken = TokenPurpose(.liveActivity, of: app, name: "a")

    /// The keys of a start with a token.
    private static let requestsToken = #","input-push-token":1"#

    private static func description(
        _ settings: LiveActivitySettings?,
        tokens: [TokenPurpose.Kind]? = [.pushToStart, .liveActivity]
    ) -> AppDescription {
        var description = NotificationDevice.description()
        description.liveActivities = settings
        description.tokens = tokens
        return description
    }

    private static func device(
        _ settings: LiveActivitySettings?,
        tokens: [TokenPurpose.Kind]? = [.pushToStart, .liveActivity]
    ) throws -> NotificationDevice {
        try NotificationDevice(app: description(settings, tokens: tokens))
    }

    /// Starts a Live Activity; returns the decision.
    @discardableResult
    private static func start(
        _ id: NotificationID = "a",
        keys: String = requestsToken,
        on device: inout NotificationDevice
    ) throws -> LiveActivityDecision {
        let content = #""attributes-type":"Match","attributes":{},"content-state":{}"#
        return try push(id, #""event":"start","timestamp":100,\#(content)\#(keys)"#, to: &device)
    }

    private static func push(
        _ id: NotificationID,
        _ aps: String,
        to device: inout NotificationDevice
    ) throws -> LiveActivityDecision {
        try device.deliver(id, aps, suffix: ".push-type.liveactivity", pushType: "liveactivity")
        return try #require(device.model.decision(on: id)?.liveActivity)
    }

    private static func requestedKinds(_ device: NotificationDevice) -> [TokenPurpose.Kind] {
        device.model.tokens.current.map(\.purpose.kind)
    }

    // MARK: Preconditions

    @Test(
        arguments: [
            (
                LiveActivitySettings(isAllowed: false), .authorization,
                ["the user does not allow Live Activities of", "liveActivities.isAllowed is false", "4 reports"]
            ),
            (
                LiveActivitySettings(hasRun: false), .token,
                ["com.example.tv has not run since its installation", "liveActivities.hasRun is false", "inferred"]
            ),
        ] as [(LiveActivitySettings, NotificationGate, [String])]
    )
    func startThatIsNotPossibleIsDropped(
        _ settings: LiveActivitySettings,
        gate: NotificationGate,
        words: [String]
    ) throws {
        var device = try Self.device(settings)
        let decision = try Self.start(on: &device)
        #expect(decision.outcome == .ignored)
        #expect(NotificationDevice.failure(decision.gates) == [gate])
        for part in words { #expect(decision.explanation.contains(part), "\(decision.explanation)") }
        #expect(device.model.liveActivities.isEmpty)
    }

    @Test func appWithoutSettingsStartsAsBefore() throws {
        var device = try Self.device(nil)
        let decision = try Self.start(keys: #","input-push-channel":"no channel""#, on: &device)
        #expect(decision.outcome == .started)
        #expect(decision.gates.map(\.gate) == [.event, .activity, .timestamp])
        #expect(decision.explanation == "the Live Activity of com.example.tv starts")
        #expect(Self.requestedKinds(device) == [.pushToStart, .liveActivity])
    }

    @Test func startNeedsNoPermissionForNotifications() throws {
        var description = Self.description(LiveActivitySettings())
        description.notificationSettings = NotificationSettings(authorizationStatus: .denied)
        var device = try NotificationDevice(app: description)
        let decision = try Self.start(on: &device)
        #expect(decision.outcome == .started)
        #expect(decision.gates.map(\.gate) == [.event, .authorization, .activity, .timestamp, .budget])
    }

    @Test func runningActivityIsUpdatedWithoutThePreconditions() throws {
        var device = try Self.device(LiveActivitySettings())
        try Self.start(on: &device)
        let settings = LiveActivitySettings(isAllowed: false, hasRun: false)
        device.apply(.setting(.liveActivitySettingsSet(Self.app, settings)))
        let update = try Self.push("u", #""event":"update","timestamp":100,"content-state":{}"#, to: &device)
        #expect(update.outcome == .updated)
    }

    @Test func startIsPossibleOnceTheAppRan() throws {
        var device = try Self.device(LiveActivitySettings(hasRun: false))
        try device.deliver("n", #""alert":"Kick-off""#)
        device.apply(.notification(.notificationOpened("n")))
        #expect(device.model.description.apps.first?.liveActivities?.hasRun == true)
        let decision = try Self.start(on: &device)
        #expect(decision.outcome == .started)
    }

    /// Each of the events with which an app runs for the first time.
    @Test(arguments: ["opened", "called", "set"]) func tokenForStartsIsRequestedWhenTheAppRuns(_ cause: String) throws {
        var device = try Self.device(LiveActivitySettings(hasRun: false))
        #expect(Self.requestedKinds(device).isEmpty)
        switch cause {
        case "opened":
            try device.deliver("n", #""alert":"Kick-off""#)
            #expect(Self.requestedKinds(device).isEmpty)
            device.apply(.notification(.notificationOpened("n")))
        case "called": try device.deliver("n", #""content-available":1"#, pushType: .background, priority: 5)
        default: device.apply(.setting(.liveActivitySettingsSet(Self.app, LiveActivitySettings(hasRun: true))))
        }
        #expect(Self.requestedKinds(device) == [.pushToStart])
        // The app may release it, and does not request it again because it runs.
        device.apply(.token(.tokenReleased(TokenPurpose(.pushToStart, of: Self.app))))
        try device.deliver("m", #""alert":"Half-time""#)
        device.apply(.notification(.notificationOpened("m")))
        #expect(Self.requestedKinds(device).isEmpty)
    }

    /// An earlier version requested the token for starts at the installation, and a back end has it.
    @Test func journalOfAnEarlierVersionKeepsItsToken() throws {
        var device = try Self.device(LiveActivitySettings(hasRun: false))
        let purpose = TokenPurpose(.pushToStart, of: Self.app)
        let effects = device.apply(.token(.tokenAssigned(purpose, "f0")))
        #expect(effects == [.token(.tokenChanged(purpose, "f0"))])
        #expect(device.model.tokens.current == [AppToken("f0", for: purpose)])
        #expect(device.model.tokens.isSettled)
        // Once the app has run, a token that it released is not its own any more.
        device.apply(.setting(.liveActivitySettingsSet(Self.app, LiveActivitySettings())))
        device.apply(.token(.tokenReleased(purpose)))
        device.apply(.token(.tokenAssigned(purpose, "f1")))
        #expect(device.model.tokens.current.isEmpty)
        #expect(Set(device.model.tokens.ended.compactMap(\.token)) == ["f0", "f1"])
    }

    @Test func undeclaredTokenOfAnEarlierJournalEnds() throws {
        var device = try Self.device(LiveActivitySettings(hasRun: false), tokens: [.liveActivity])
        device.apply(.token(.tokenAssigned(TokenPurpose(.pushToStart, of: Self.app), "f0")))
        #expect(device.model.tokens.current.isEmpty)
        #expect(device.model.tokens.ended.map(\.token) == ["f0"])
    }

    @Test func otherTokensAreRequestedWithoutARun() throws {
        let device = try Self.device(LiveActivitySettings(hasRun: false), tokens: [.app, .pushToStart])
        #expect(Self.requestedKinds(device) == [.app])
    }

    @Test func startIsPossibleOnceTheSystemStartedTheApp() throws {
        var device = try Self.device(LiveActivitySettings(hasRun: false))
        try device.deliver("n", #""content-available":1"#, pushType: .background, priority: 5)
        let decision = try Self.start(on: &device)
        #expect(decision.outcome == .started)
    }

    @Test func settingsOfAnUnknownAppAreIgnored() throws {
        var device = try Self.device(nil)
        let event = DeviceEvent.setting(.liveActivitySettingsSet("com.example.other", LiveActivitySettings()))
        guard case .system(.eventIgnored(let ignored)) = device.apply(event).first else {
            Issue.record("the event was applied")
            return
        }
        #expect(ignored.reason == .unknownApp)
    }

    // MARK: The budget

    /// Starts and ends a Live Activity a number of times; returns the decision on the last start.
    private static func startAndEnd(
        times: Int,
        named prefix: String,
        on device: inout NotificationDevice
    ) throws -> LiveActivityDecision? {
        var decision: LiveActivityDecision?
        for number in 1...times {
            decision = try start(NotificationID(rawValue: "\(prefix)\(number)"), on: &device)
            let end = NotificationID(rawValue: "\(prefix)\(number)-end")
            _ = try push(end, #""event":"end","timestamp":100"#, to: &device)
        }
        return decision
    }

    @Test(arguments: [nil, true]) func startAboveTheBudgetIsDropped(_ hasFrequentUpdates: Bool?) throws {
        var description = Self.description(LiveActivitySettings())
        description.supportsFrequentLiveActivityUpdates = hasFrequentUpdates
        var device = try NotificationDevice(app: description)
        let last = try Self.startAndEnd(times: 10, named: "s", on: &device)
        #expect(last?.outcome == .started)
        let dropped = try Self.start("late", on: &device)
        #expect(dropped.outcome == .ignored)
        #expect(NotificationDevice.failure(dropped.gates) == [.budget])
        for part in [
            "10 of 10 starts by pushes in the last hour", "frequent updates do not raise it", "forum thread 799505",
        ] {
            #expect(dropped.explanation.contains(part), "\(dropped.explanation)")
        }
        device.wait(NotificationDevice.hour)
        let later = try Self.start("later", on: &device)
        #expect(later.outcome == .started)
    }

    @Test func appWithoutSettingsHasNoBudgetForStarts() throws {
        var device = try Self.device(nil)
        let last = try Self.startAndEnd(times: 20, named: "s", on: &device)
        #expect(last?.outcome == .started)
    }

    @Test func startsAndUpdatesAreCountedApart() throws {
        var description = Self.description(LiveActivitySettings())
        description.supportsFrequentLiveActivityUpdates = false
        var device = try NotificationDevice(app: description)
        _ = try Self.startAndEnd(times: 9, named: "s", on: &device)
        try Self.start(on: &device)
        for number in 1...15 {
            let id = NotificationID(rawValue: "u\(number)")
            let update = try Self.push(id, #""event":"update","timestamp":100,"content-state":{}"#, to: &device)
            #expect(update.outcome == .updated)
        }
    }

    @Test func personCanSwitchFrequentUpdatesOff() throws {
        var description = Self.description(LiveActivitySettings(allowsFrequentUpdates: false))
        description.supportsFrequentLiveActivityUpdates = true
        var device = try NotificationDevice(app: description)
        try Self.start(on: &device)
        var decision: LiveActivityDecision?
        for number in 1...16 {
            let id = NotificationID(rawValue: "u\(number)")
            decision = try Self.push(id, #""event":"update","timestamp":100,"content-state":{}"#, to: &device)
        }
        #expect(NotificationDevice.failure(decision?.gates) == [.budget])
        let explanation = try #require(decision?.explanation)
        #expect(explanation.contains("15 of 15 updates with priority 10 in the last hour"), "\(explanation)")
        #expect(explanation.contains("liveActivities.allowsFrequentUpdates is false"), "\(explanation)")
    }

    // MARK: The token

    @Test(
        arguments: [
            (#","input-push-token":1"#, true, nil),
            ("", false, #"it has no token, because the start has no "input-push-token": 1"#),
            (#","input-push-token":true"#, false, #"the start has no "input-push-token": 1"#),
            (#","input-push-channel":"aG9uaw==""#, false, "it listens to the channel aG9uaw==, and has no token"),
        ] as [(String, Bool, String?)]
    )
    func startSaysWhetherTheActivityHasAToken(_ keys: String, hasToken: Bool, note: String?) throws {
        var device = try Self.device(LiveActivitySettings())
        let decision = try Self.start(keys: keys, on: &device)
        #expect(decision.outcome == .started)
        #expect(Self.requestedKinds(device).contains(.liveActivity) == hasToken)
        let start = "the Live Activity of com.example.tv starts"
        #expect(decision.explanation.hasPrefix(start))
        #expect((decision.explanation == start) == (note == nil), "\(decision.explanation)")
        if let note { #expect(decision.explanation.contains(note), "\(decision.explanation)") }
    }

    @Test func activityWithoutATokenGetsNoneLater() throws {
        var device = try Self.device(LiveActivitySettings())
        try Self.start(keys: "", on: &device)
        device.apply(.system(.appInstalled(Self.description(LiveActivitySettings()))))
        _ = try Self.push("u", #""event":"update","timestamp":100,"content-state":{}"#, to: &device)
        #expect(Self.requestedKinds(device) == [.pushToStart])
    }

    @Test(arguments: [#""honk!""#, "\"\"", "7", #"["aG9uaw=="]"#])
    func invalidChannelStartsNothing(_ channel: String) throws {
        var device = try Self.device(LiveActivitySettings())
        let decision = try Self.start(keys: #","input-push-channel":\#(channel)"#, on: &device)
        #expect(NotificationDevice.failure(decision.gates) == [.event])
        #expect(decision.explanation.hasPrefix("input-push-channel is "), "\(decision.explanation)")
        #expect(device.model.liveActivities.isEmpty)
    }

    @Test func tokenAppearsWhenTheUserAllowsIt() throws {
        var device = try Self.device(LiveActivitySettings(isAllowedOnLockScreen: false))
        let decision = try Self.start(on: &device)
        #expect(decision.outcome == .started)
        for part in ["liveActivities.isAllowedOnLockScreen is false", "4 reports"] {
            #expect(decision.explanation.contains(part), "\(decision.explanation)")
        }
        #expect(Self.requestedKinds(device) == [.pushToStart])
        let settings = LiveActivitySettings(isAllowedOnLockScreen: true)
        device.apply(.setting(.liveActivitySettingsSet(Self.app, settings)))
        #expect(Self.requestedKinds(device) == [.pushToStart, .liveActivity])
        device.apply(.token(.tokenAssigned(Self.activityToken, "a0")))
        #expect(device.model.liveActivities.map(\.token) == ["a0"])
    }

    @Test func explanationSaysThatTheTokenOfAForceQuitAppStaysOnTheDevice() throws {
        var device = try Self.device(LiveActivitySettings())
        device.apply(.system(.appForceQuit(Self.app)))
        let decision = try Self.start(on: &device)
        #expect(decision.outcome == .started)
        for part in ["the user forced the app to quit", "does not reach the server", "5 reports"] {
            #expect(decision.explanation.contains(part), "\(decision.explanation)")
        }
        #expect(Self.requestedKinds(device) == [.pushToStart, .liveActivity])
    }

    @Test func appWithoutTokensOfItsOwnHasNoNote() throws {
        var device = try Self.device(LiveActivitySettings(), tokens: nil)
        let decision = try Self.start(keys: "", on: &device)
        #expect(decision.explanation == "the Live Activity of com.example.tv starts")
    }
}
