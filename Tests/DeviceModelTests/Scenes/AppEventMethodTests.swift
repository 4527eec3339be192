import DeviceModel
import SceneCallbacks
import Testing
import WaypostSchema

/// The events of a process correspond to the calls of the system, one to one and in their order.
@Suite struct AppEventMethodTests {
    private static let app: BundleIdentifier = "com.example.clowntown"
    private static let content: TargetContentIdentifier = "main"

    /// A state of the app before a cause.
    struct Before: CustomTestStringConvertible {
        let state: InitialState

        /// The states of the chosen scene and of another one at the start of the device; `nil` for no such scene.
        let main: SceneState?
        var other: SceneState?

        /// The events after the process attached; `nil` if none is attached before the cause.
        var events: [DeviceEvent]? = []

        var testDescription: String {
            state.rawValue
        }
    }

    private static let states = [
        Before(state: .notRunning, main: .disconnected, events: nil),
        Before(state: .notRunningNewScene, main: nil, events: nil),
        Before(
            state: .disconnected,
            main: .foregroundActive,
            other: .background,
            events: [.scene(.sceneDisconnected(app, "main"))]
        ),
        Before(state: .newScene, main: nil, other: .foregroundActive),
        Before(state: .newSceneInBackground, main: nil, other: .background),
        Before(state: .background, main: .foregroundActive, events: [.scene(.sceneBackgrounded(app, "main"))]),
        Before(
            state: .behindOtherScene,
            main: .foregroundActive,
            other: .background,
            events: [.scene(.sceneBroughtForward(app, "other", nil))]
        ),
        Before(state: .besideOtherScene, main: .foregroundInactive, other: .foregroundActive),
        Before(state: .foregroundInactive, main: .foregroundInactive),
        Before(state: .foregroundActive, main: .foregroundActive),
    ]

    /// The causes that a device has, besides the icon.
    private static let causes: [EventCause] = [
        .notificationTap, .foregroundAction, .foregroundText, .quickAction, .universalLink, .spotlight,
        .widgetActivity, .handoff, .handoffFailure,
    ]

    private static func description(of before: Before, callbacks: AppImplementation? = nil) -> DeviceDescription {
        let main = before.main.map { SceneSession.example("main", $0, at: 1, prefers: "SELF == '\(content)'") }
        let other = before.other.map { SceneSession.example("other", $0, at: 2, can: "FALSEPREDICATE") }
        let actions = [
            NotificationAction(identifier: "SHOW", title: "Show", options: [.foreground]),
            NotificationAction(
                identifier: "REPLY",
                title: "Reply",
                options: [.foreground],
                textInputButtonTitle: "Send"
            ),
        ]
        let clownTown = AppDescription(
            bundleIdentifier: app,
            scenes: [main, other].compactMap(\.self),
            shortcutItems: [
                ShortcutItem(type: "call", localizedTitle: "Call", targetContentIdentifier: content)
            ],
            notificationCategories: [NotificationCategory(identifier: "CLOWN", actions: actions)],
            callbacks: callbacks
        )
        return DeviceDescription(name: "tablet", apps: [clownTown])
    }

    private static func activity(of type: String, failingWith error: HandoffError? = nil) -> DeviceEvent {
        let activity = UserActivity(activityType: type, targetContentIdentifier: content)
        return .scene(.userActivityContinued(app, activity, from: nil, error: error))
    }

    private static func event(for cause: EventCause, in before: Before) -> DeviceEvent? {
        switch cause {
        case .icon:
            before.main == nil
                ? .scene(.sceneCreated(app, nil)) : .scene(.sceneBroughtForward(app, "main", nil))
        case .notificationTap: .notification(.notificationOpened("n1"))
        case .foregroundAction: .notification(.notificationActionChosen("n1", action: "SHOW", text: nil))
        case .foregroundText: .notification(.notificationActionChosen("n1", action: "REPLY", text: "Hi"))
        case .quickAction: .scene(.shortcutItemPerformed(app, type: "call"))
        case .universalLink: activity(of: "NSUserActivityTypeBrowsingWeb")
        case .spotlight: activity(of: "com.apple.corespotlightitem")
        case .widgetActivity: activity(of: "NSUserActivityTypeLiveActivity")
        case .handoff: activity(of: "clown")
        case .handoffFailure: activity(of: "clown", failingWith: .userActivityHandoffFailed)
        default: nil
        }
    }

    private static var notification: DeviceEvent {
        var delivered = DeliveredNotification.example()
        let aps: [String: JSONValue] = [
            "alert": .string("Crusty is near"), "category": .string("CLOWN"),
            "target-content-id": .string(content.rawValue),
        ]
        delivered.payload = .object(["aps": .object(aps)])
        return .notification(.notificationDelivered(delivered))
    }

    /// A device with a process that has received everything before the cause.
    private struct Run {
        var device: DeviceModel
        var process = AppProcess(of: AppEventMethodTests.app)

        init(
            _ before: Before,
            callbacks: AppImplementation? = nil,
            isResponseRepeated: Bool? = nil
        ) throws {
            var tablet = AppEventMethodTests.description(of: before, callbacks: callbacks)
            tablet.responseAlsoAtConnect = isResponseRepeated
            device = try DeviceModel(tablet)
            let notification = AppEventMethodTests.notification
            guard let events = before.events else {
                device.go(through: notification)
                return
            }
            _ = process.newEvents(on: device)
            for event in events + [notification] {
                device.go(through: event)
                _ = process.newEvents(on: device)
            }
        }

        /// Applies an event; returns the scene that opened, and the new events of the process.
        mutating func apply(_ event: DeviceEvent) throws -> (opened: OpenedScene, events: [AppEvent]) {
            let effects = device.go(through: event)
            let opened = effects.compactMap { effect -> OpenedScene? in
                switch effect {
                case .scene(.sceneActivated(let opened)), .scene(.sceneOpened(let opened)): opened
                default: nil
                }
            }
            return (try #require(opened.first), process.newEvents(on: device))
        }
    }

    /// The calls of the rules that a process receives; those of the app delegate have no event.
    private static func methods(of sequence: CallbackSequence) -> [String] {
        sequence.steps.filter { step in
            switch step.callback {
            case .scene(.willConnect): true
            case .scene, .center: step.condition == nil || step.condition == .otherSceneIsHidden
            case .app, .view, .intent: false
            }
        }
        .map(\.callback.signature)
    }

    @Test(arguments: [EventCause.icon] + causes, states)
    func eventsAreTheCallsOfTheRules(_ cause: EventCause, _ before: Before) throws {
        var run = try Run(before)
        let event = try #require(Self.event(for: cause, in: before))
        let (opened, events) = try run.apply(event)
        #expect(opened.cause == cause)
        #expect(opened.initialState == before.state)
        let sequence = try #require(CallbackSequence(for: opened, of: run.device.app(Self.app)))
        guard case .calls = sequence.outcome else { return }
        // The device shows one scene alone, so the scene beside the chosen one leaves the screen.
        let hidden = before.state == .besideOtherScene ? ["sceneDidEnterBackground(_:)"] : []
        #expect(events.compactMap(\.method) == Self.methods(of: sequence) + hidden)
    }

    @Test(arguments: causes, states)
    func activationIsDeliveredOnceExceptForResponses(_ cause: EventCause, _ before: Before) throws {
        var run = try Run(before)
        let event = try #require(Self.event(for: cause, in: before))
        let (opened, events) = try run.apply(event)
        let numbers = events.flatMap { event -> [Int] in
            switch event {
            case .sceneConnected(let scene): scene.connectionOptions.map(\.number)
            case .sceneActivated(let activation): [activation.number]
            default: []
            }
        }
        let isResponse = opened.activation.notification != nil
        let isConnecting = Set<InitialState>.connecting.contains(before.state)
        #expect(numbers == Array(repeating: opened.activation.number, count: isResponse && isConnecting ? 2 : 1))
        let again = run.process.newEvents(on: run.device)
        #expect(again.isEmpty)
    }

    @Test(
        arguments: [
            (.willFinishLaunching, true, true), (.didFinishLaunching, true, true), (.willConnect, true, true),
            (.later, false, true), (.never, false, false), (nil, true, true),
        ] as [(DelegateSetting?, Bool, Bool)]
    )
    func responseIsRepeatedUnlessTheDelegateIsMissing(
        _ setting: DelegateSetting?,
        _ isCalledAtLaunch: Bool,
        _ isCalledLater: Bool
    ) throws {
        let callbacks = AppImplementation(notificationCenter: CenterDelegate(setIn: setting))
        for (state, isCalled) in [(0, isCalledAtLaunch), (2, isCalledLater)] {
            var run = try Run(Self.states[state], callbacks: callbacks)
            let events = try run.apply(.notification(.notificationOpened("n1"))).events
            let isRepeated = events.contains { if case .sceneActivated = $0 { true } else { false } }
            #expect(isRepeated == isCalled, "\(state)")
            guard case .sceneConnected(let scene) = events.first else { throw Missing() }
            #expect(scene.connectionOptions.count == 1)
        }
    }

    @Test(arguments: [true, false]) func deviceSaysWhetherAResponseIsRepeated(isDescribed: Bool) throws {
        var run = try Run(Self.states[0], isResponseRepeated: isDescribed ? false : nil)
        if !isDescribed { run.device.go(through: .setting(.responseAlsoAtConnectSet(isOn: false))) }
        #expect(run.device.description.responseAlsoAtConnect == false)
        let events = try run.apply(.notification(.notificationOpened("n1"))).events
        #expect(
            events.compactMap(\.method) == [
                "scene(_:willConnectTo:options:)", "sceneWillEnterForeground(_:)", "sceneDidBecomeActive(_:)",
            ]
        )
        run.device.go(through: .setting(.responseAlsoAtConnectSet(isOn: true)))
        #expect(run.device.description.responseAlsoAtConnect == nil)
    }

    @Test func handoffIsAnnouncedAtTheConnectionAndComesAfterIt() throws {
        var run = try Run(Self.states[0])
        let events = try run.apply(Self.activity(of: "clown")).events
        guard case .sceneConnected(let scene) = events.first, case .sceneActivated(let activation) = events[2] else {
            throw Missing()
        }
        #expect(scene.connectionOptions.isEmpty)
        #expect(scene.handoffUserActivityType == "clown")
        #expect(activation.userActivity?.activityType == "clown")
        #expect(activation.method == "scene(_:continue:)")
    }

    @Test(arguments: HandoffError.allCases, [0, 5])
    func failedHandoffHasTheErrorAndNoActivity(_ error: HandoffError, _ state: Int) throws {
        var run = try Run(Self.states[state])
        let (opened, events) = try run.apply(Self.activity(of: "clown", failingWith: error))
        let failure = FailedUserActivity(activityType: "clown", error: error)
        #expect(opened.activation.failedUserActivity == failure)
        #expect(opened.activation.userActivity == nil)
        let activations = events.compactMap { if case .sceneActivated(let activation) = $0 { activation } else { nil } }
        #expect(activations.map(\.failedUserActivity) == [failure])
        #expect(activations.map(\.method) == ["scene(_:didFailToContinueUserActivityWithType:error:)"])
    }

    @Test func connectedSceneIsToldTheTypeOfTheActivityBeforeItsData() throws {
        var run = try Run(Self.states[9])
        let events = try run.apply(Self.activity(of: "clown")).events
        guard case .userActivityAnnounced(let activity) = events.first, events.count == 2 else { throw Missing() }
        #expect(activity.scene == "main" && activity.activityType == "clown")
    }

    @Test func sceneThatConnectsRestoresTheActivityOfItsSession() throws {
        var run = try Run(Self.states[0])
        let saved = UserActivity(activityType: "saved")
        run.device.go(through: .scene(.restorationActivitySet(Self.app, "main", saved)))
        let events = try run.apply(Self.activity(of: "clown")).events
        guard case .interactionStateRestored(let state) = events[1] else { throw Missing() }
        #expect(state.scene == "main" && state.stateRestorationActivity == saved)
        #expect(
            events.prefix(2).map(\.method) == [
                "scene(_:willConnectTo:options:)", "scene(_:restoreInteractionStateWith:)",
            ]
        )
    }

    /// The app itself shows an activity in a scene.
    @Test func activityOfARequestComesBeforeTheSceneIsActive() throws {
        var run = try Run(Self.states[5])
        let request = DeviceEvent.scene(
            .sceneBroughtForward(Self.app, "main", UserActivity(activityType: "clown"))
        )
        let events = try run.apply(request).events
        #expect(
            events.map(\.method) == [
                "sceneWillEnterForeground(_:)", "scene(_:continue:)", "sceneDidBecomeActive(_:)",
            ]
        )
    }

    /// The process reads its events late: the scene came to the front, and has left it again.
    @Test func scenesAreCalledInTheOrderOfTheirActivations() throws {
        // The scenes of the app are in the opposite order.
        let scenes: [SceneSession] = [.example("second", .foregroundActive, at: 1), .example("first", .background)]
        let app = AppDescription(bundleIdentifier: Self.app, scenes: scenes)
        var device = try DeviceModel(DeviceDescription(name: "tablet", apps: [app]))
        var process = AppProcess(of: Self.app)
        let opening = ["first", "second"].map { DeviceEvent.scene(.sceneBroughtForward(Self.app, $0, nil)) }
        for event in opening + [.scene(.sceneBackgrounded(Self.app, "second"))] {
            device.go(through: event)
            _ = process.newEvents(on: device)
        }
        device.go(through: opening)
        let calls = process.newEvents(on: device).compactMap { event -> String? in
            guard case .sceneChanged(let change) = event else { return nil }
            return "\(change.scene) \(change.state.rawValue)"
        }
        let expected = [
            "first foregroundInactive", "first foregroundActive", "first foregroundInactive",
            "second foregroundInactive", "second foregroundActive", "first background",
        ]
        #expect(calls == expected)
    }

    @Test func activationOfASceneThatLeftTheForegroundIsDelivered() throws {
        var run = try Run(Self.states[5])
        run.device.go(
            through: .scene(.shortcutItemPerformed(Self.app, type: "call")),
            .scene(.sceneBackgrounded(Self.app, "main"))
        )
        let events = run.process.newEvents(on: run.device)
        #expect(
            events.map(\.method) == [
                "sceneWillEnterForeground(_:)", "windowScene(_:performActionFor:completionHandler:)",
                "sceneDidBecomeActive(_:)", "sceneWillResignActive(_:)", "sceneDidEnterBackground(_:)",
            ]
        )
    }

    @Test(
        arguments: [
            (.alert, .willPresent, "userNotificationCenter(_:willPresent:withCompletionHandler:)"),
            ("voip", .didReceiveIncomingPush, "pushRegistry(_:didReceiveIncomingPushWith:for:completion:)"),
            ("pushtotalk", .didReceiveIncomingPush, "incomingPushResult(channelManager:channelUUID:pushPayload:)"),
        ] as [(PushType, AppCall.Function, String)]
    )
    func callNamesItsMethod(_ pushType: PushType, _ function: AppCall.Function, _ method: String) throws {
        var device = try NotificationDevice(app: NotificationDevice.description(state: .foregroundActive))
        var process = AppProcess(of: NotificationDevice.app)
        try device.deliver("n", #""alert":"A""#, suffix: Self.suffixes[pushType] ?? "", pushType: pushType)
        let calls = process.newEvents(on: device.model)
            .compactMap { if case .called(let call) = $0 { call } else { nil } }
        #expect(calls.map(\.function) == [function])
        #expect(calls.map(\.method) == [method])
        // The effect on the device does not name it.
        #expect(device.model.calls(of: NotificationDevice.app).map(\.method) == [nil])
    }

    private static let suffixes: [PushType: String] = ["voip": ".voip", "pushtotalk": ".voip-ptt"]

    private struct Missing: Error {}
}
