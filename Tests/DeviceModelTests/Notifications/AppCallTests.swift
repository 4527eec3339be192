import DeviceModel
import Testing
import WaypostSchema
import WaypostTestSupport

/// The app's part in a notification: what it presents in the foreground, its service extension and its actions.
@Suite struct AppCallTests {
    private static let everything = #""alert":{"title":"A","body":"B"},"sound":"default","badge":3"#

    @Test(.proves("N22")) func appInTheForegroundThatPresentsNothingHidesTheNotification() throws {
        var device = try NotificationDevice(app: NotificationDevice.description(state: .foregroundActive))
        try device.deliver("n", Self.everything)
        let decision = try #require(device.model.decision(on: "n"))
        #expect(decision.presentation == .nowhere)
        #expect(decision.explanation == "com.example.tv is in the foreground, and presents nothing")
        #expect(NotificationDevice.failure(decision.gates) == [.foreground, .sound, .badge])
        #expect(device.calls == [.willPresent])
    }

    @Test(
        arguments: [
            (nil, nil, .immediate), (.never, nil, .immediate), (.never, [.list], .list),
            (.didFinishLaunching, nil, .nowhere),
        ] as [(DelegateSetting?, [PresentationOption]?, NotificationDecision.Presentation)]
    )
    func appWithoutADelegateIsNotAskedAndKeepsTheNotification(
        _ setting: DelegateSetting?,
        _ presented: [PresentationOption]?,
        _ presentation: NotificationDecision.Presentation
    ) throws {
        // Without a setting, the app is in the background.
        var app = NotificationDevice.description(
            state: setting == nil ? .background : .foregroundActive,
            presents: presented
        )
        app.callbacks = AppImplementation(notificationCenter: CenterDelegate(setIn: setting))
        var device = try NotificationDevice(app: app)
        try device.deliver("n", Self.everything)
        let decision = try #require(device.model.decision(on: "n"))
        #expect(decision.presentation == presentation)
        let keepsEverything = presentation == .immediate
        #expect((decision.sound != nil) == keepsEverything)
        #expect((decision.badge != nil) == keepsEverything)
        #expect(device.calls == (keepsEverything ? [] : [.willPresent]))
    }

    @Test(
        .proves("N23"),
        arguments: [
            ([.banner], .immediate, false, false), ([.list], .list, false, false),
            ([.sound], .nowhere, true, false), ([.badge], .nowhere, false, true),
            (PresentationOption.allCases, .immediate, true, true),
        ] as [([PresentationOption], NotificationDecision.Presentation, Bool, Bool)]
    )
    func answerToWillPresentDecidesAboutEachPart(
        _ options: [PresentationOption],
        _ presentation: NotificationDecision.Presentation,
        _ hasSound: Bool,
        _ hasBadge: Bool
    ) throws {
        var device = try NotificationDevice(app: NotificationDevice.description(state: .foregroundActive))
        try device.deliver("n", Self.everything)
        let effects = device.finish(AppCallResult(presentationOptions: options))
        let decision = try #require(device.model.decision(on: "n"))
        #expect((decision.presentation, decision.sound != nil) == (presentation, hasSound))
        #expect(device.model.badge(of: NotificationDevice.app) == (hasBadge ? 3 : nil))
        guard case .notification(.notificationUpdated(let shown)) = effects.first else { throw Missing() }
        #expect(shown.presentation == presentation)
    }

    private struct Missing: Error {}

    /// The parts that the app presents, with a reason for which the notification would not interrupt.
    @Test(
        arguments: [
            ([.banner], NotificationSettings(), Focus(name: "Work"), .nowhere),
            ([.list], NotificationSettings(), Focus(name: "Work"), .list),
            ([.banner, .list], NotificationSettings(authorizationStatus: .provisional), nil, .list),
            ([.banner], NotificationSettings(authorizationStatus: .provisional), nil, .nowhere),
            ([.list], NotificationSettings(scheduledDeliverySetting: true), nil, .summary),
            ([.banner], NotificationSettings(scheduledDeliverySetting: true), nil, .nowhere),
        ] as [([PresentationOption], NotificationSettings, Focus?, NotificationDecision.Presentation)]
    )
    func foregroundTakesAwayFromWhatRemains(
        _ options: [PresentationOption],
        _ settings: NotificationSettings,
        _ focus: Focus?,
        _ presentation: NotificationDecision.Presentation
    ) throws {
        let app = NotificationDevice.description(state: .foregroundActive, settings: settings, presents: options)
        var device = try NotificationDevice(app: app, focus: focus)
        try device.deliver("n", Self.everything)
        let decision = try #require(device.model.decision(on: "n"))
        #expect(decision.presentation == presentation)
        let gate = decision.gates.first { $0.gate == .foreground }
        #expect(gate?.status == (presentation == .nowhere ? .fail : .pass))
        if presentation == .nowhere {
            #expect(
                decision.explanation == "com.example.tv is in the foreground, and presents banner, but not the list"
            )
        }
    }

    @Test func answerChangesNeitherTheRestOfTheDecisionNorANewerBadge() throws {
        let app = NotificationDevice.description(state: .foregroundActive, presents: [.badge])
        var device = try NotificationDevice(app: app)
        try device.deliver("n1", Self.everything)
        try device.deliver("n2", #""alert":"B","badge":0"#)
        device.apply(.setting(.focusSet(Focus(name: "Work"))))
        device.finish(AppCallResult(presentationOptions: PresentationOption.allCases))
        #expect(device.model.decision(on: "n1")?.presentation == .immediate)
        #expect(device.model.badge(of: NotificationDevice.app) == nil)
    }

    @Test func soundOfACriticalAlertAlsoNeedsTheApp() throws {
        let settings = NotificationSettings(criticalAlertSetting: true)
        let app = NotificationDevice.description(state: .foregroundActive, settings: settings, presents: [.banner])
        var device = try NotificationDevice(app: app)
        try device.deliver("n", #""alert":"A","interruption-level":"critical""#)
        #expect(device.model.decision(on: "n")?.presentation == .immediate)
        #expect(device.model.decision(on: "n")?.sound == nil)
    }

    @Test func descriptionAnswersForAnAppWithoutAProcess() throws {
        let app = NotificationDevice.description(state: .foregroundActive, presents: [.banner, .sound])
        var device = try NotificationDevice(app: app)
        try device.deliver("n", Self.everything)
        #expect(device.model.decision(on: "n")?.presentation == .immediate)
        #expect(device.model.decision(on: "n")?.sound?.name == "default")
        device.wait(30_000)
        #expect(device.model.decision(on: "n")?.presentation == .immediate)
        #expect(device.calls.isEmpty)
    }

    @Test func resultWithoutOptionsLeavesTheAnswerOfTheDescription() throws {
        let app = NotificationDevice.description(state: .foregroundActive, presents: [.banner])
        var device = try NotificationDevice(app: app)
        try device.deliver("n", Self.everything)
        #expect(device.finish(AppCallResult()).isEmpty)
        #expect(device.calls.isEmpty)
        #expect(device.model.decision(on: "n")?.presentation == .immediate)
        try device.deliver("m", Self.everything)
        device.finish(AppCallResult(presentationOptions: []))
        #expect(device.model.decision(on: "m")?.presentation == .nowhere)
    }

    @Test func appOnALockedDeviceIsNotInTheForeground() throws {
        let app = NotificationDevice.description(state: .foregroundActive)
        var device = try NotificationDevice(app: app, locked: true)
        try device.deliver("n", Self.everything)
        #expect(device.model.decision(on: "n")?.presentation == .immediate)
        #expect(device.calls.isEmpty)
    }

    @Test func appInTheForegroundIsNotAskedAboutASilentNotification() throws {
        var device = try NotificationDevice(app: NotificationDevice.description(state: .foregroundActive))
        try device.deliver("n", #""content-available":1"#)
        #expect(device.calls == [.didReceiveRemoteNotification])
    }

    // MARK: The service extension

    private static let mutable = everything + #","mutable-content":1"#

    private static func withExtension(_ settings: NotificationSettings? = nil) -> AppDescription {
        NotificationDevice.description(settings: settings, hasExtension: true)
    }

    @Test(.proves("N35", "N36")) func extensionChangesWhatTheUserSees() throws {
        var device = try NotificationDevice(app: Self.withExtension())
        let effects = try device.deliver("n", Self.mutable)
        #expect(effects.count == 1)
        #expect(device.calls == [.didReceiveRequest])
        #expect(device.model.decision(on: "n")?.presentation == .pending)
        #expect(NotificationDevice.failure(device.model.decision(on: "n")?.gates) == [.serviceExtension])
        #expect(device.model.notifications.map(\.presentation) == [.pending])
        #expect(device.model.notificationCenter.groups.isEmpty)
        let changed = try NotificationDevice.payload(#""alert":{"title":"Decrypted"},"badge":5"#)
        let posted = device.finish(AppCallResult(payload: changed))
        guard case .notification(.notificationPosted(let shown)) = posted.first else { throw Missing() }
        #expect((shown.title, shown.body, shown.presentation) == ("Decrypted", nil, .immediate))
        #expect(device.model.badge(of: NotificationDevice.app) == 5)
        #expect(device.model.notifications.map(\.title) == ["Decrypted"])
    }

    @Test func appReceivesThePayloadOfItsExtension() throws {
        let app = NotificationDevice.description(state: .foregroundActive, hasExtension: true)
        var device = try NotificationDevice(app: app)
        try device.deliver("n", Self.mutable)
        let changed = try NotificationDevice.payload(#""alert":"Decrypted""#)
        device.finish(AppCallResult(payload: changed))
        #expect(device.calls == [.willPresent])
        #expect(device.model.calls(of: NotificationDevice.app).map(\.notification.payload) == [changed])
    }

    @Test(.proves("N37")) func extensionThatTakesTooLongLeavesTheOriginal() throws {
        var device = try NotificationDevice(app: Self.withExtension())
        try device.deliver("n", Self.mutable)
        device.wait(29_999)
        #expect(device.model.notifications.map(\.presentation) == [.pending])
        let effects = device.wait(1)
        guard case .notification(.notificationPosted(let shown)) = effects.first else { throw Missing() }
        #expect(shown.title == "A")
        let gate = device.model.decision(on: "n")?.gates.first { $0.gate == .serviceExtension }
        #expect(gate?.status == .pass)
        #expect(gate?.explanation.contains("took too long") == true)
        device.finish(AppCallResult(payload: try NotificationDevice.payload(#""alert":"late""#)))
        #expect(device.model.notifications.map(\.title) == ["A"])
    }

    /// Events after which a notification that waits for its extension must not wait for ever.
    @Test func notificationThatWaitsEndsWithItsAppOrItsTime() throws {
        var removed = try NotificationDevice(app: Self.withExtension())
        try removed.deliver("n", Self.mutable)
        for event in [.notification(.notificationOpened("n")), .notification(.notificationDismissed("n"))]
            as [DeviceEvent]
        {
            guard case .system(.eventIgnored(let ignored)) = removed.apply(event).first else { throw Missing() }
            #expect(ignored.reason == .waitsForExtension)
        }
        removed.apply(.system(.appRemoved(NotificationDevice.app)))
        #expect(removed.model.notifications.isEmpty)
        var replaced = try NotificationDevice(app: Self.withExtension())
        try replaced.deliver("n", Self.mutable)
        replaced.apply(.system(.appForceQuit(NotificationDevice.app)))
        replaced.apply(.system(.appInstalled(Self.withExtension())))
        #expect(replaced.calls == [.didReceiveRequest])
        replaced.wait(30_000)
        #expect(replaced.model.notifications.map(\.presentation) == [.immediate])
    }

    @Test func removedAppLeavesNothingBehind() throws {
        var device = try NotificationDevice(app: Self.withExtension())
        let start =
            #""event":"start","timestamp":1,"attributes-type":"A","attributes":{},"content-state":{}"#
        try device.deliver("a", start, suffix: ".push-type.liveactivity")
        try device.deliver("c", #""alert":"A""#, collapseID: "c")
        for number in 1...4 { try device.deliver(NotificationID(rawValue: "n\(number)"), #""content-available":1"#) }
        device.apply(.system(.appRemoved(NotificationDevice.app)))
        #expect(device.model.liveActivities.isEmpty)
        #expect(device.model.decision(on: "n4")?.launch?.outcome == .dropped)
        device.wait(2 * NotificationDevice.hour)
        #expect(device.model.nextDeadline == nil)
        device.apply(.system(.appInstalled(NotificationDevice.description())))
        device.apply(.system(.appForceQuit(NotificationDevice.app)))
        device.apply(.system(.appInstalled(NotificationDevice.description())))
        try device.deliver("again", #""alert":"A","content-available":1"#, collapseID: "c")
        #expect(device.model.decision(on: "again")?.launch?.outcome == .launched)
        #expect(device.model.notifications.last?.replaced == nil)
    }

    @Test func numberOfACallIsNotUsedAgainAfterARestore() throws {
        var device = try NotificationDevice(app: Self.withExtension())
        device.apply(.system(.snapshotTaken("empty")))
        try device.deliver("n1", Self.mutable)
        let former = device.model.calls(of: NotificationDevice.app).map(\.number)
        device.apply(.system(.deviceRestored(snapshot: "empty")))
        #expect(device.calls.isEmpty)
        try device.deliver("n2", Self.mutable)
        #expect(Set(device.model.calls(of: NotificationDevice.app).map(\.number)).isDisjoint(with: former))
    }

    @Test func restoredCallWhoseTimeIsOverEndsAtOnce() throws {
        var device = try NotificationDevice(app: Self.withExtension())
        try device.deliver("n", Self.mutable)
        device.apply(.system(.snapshotTaken("waiting")))
        device.wait(60_000)
        device.apply(.system(.deviceRestored(snapshot: "waiting")))
        #expect(device.calls.isEmpty)
        #expect(device.model.notifications.map(\.presentation) == [.immediate])
    }

    @Test func replacedNotificationStaysUntilTheNewOneIsReady() throws {
        var device = try NotificationDevice(app: Self.withExtension())
        try device.deliver("n1", Self.everything, collapseID: "c")
        try device.deliver("n2", Self.mutable, collapseID: "c")
        try device.deliver("n3", Self.mutable, collapseID: "c")
        #expect(device.model.notifications.map(\.presentation) == [.immediate, .pending, .pending])
        let third = try #require(device.model.calls(of: NotificationDevice.app).last)
        device.apply(.notification(.appCallFinished(NotificationDevice.app, call: third.number, AppCallResult())))
        #expect(device.model.notifications.map(\.id) == ["n3"])
        let gate = device.model.decision(on: "n3")?.gates.first { $0.gate == .serviceExtension }
        #expect(gate?.explanation == "the service extension of com.example.tv changed nothing")
        device.finish(AppCallResult())
        #expect(device.model.notifications.map(\.id) == ["n3"])
    }

    @Test(.proves("N38")) func extensionCannotRemoveTheAlert() throws {
        var device = try NotificationDevice(app: Self.withExtension())
        try device.deliver("n", Self.mutable)
        device.finish(AppCallResult(payload: try NotificationDevice.payload(#""sound":"a""#)))
        #expect(device.model.notifications.map(\.title) == ["A"])
    }

    @Test(
        .proves("N35"),
        arguments: [
            (everything, nil), (#""sound":"a","mutable-content":1"#, nil),
            (mutable, NotificationSettings(alertSetting: false)),
            (mutable, NotificationSettings(authorizationStatus: .denied)),
        ] as [(String, NotificationSettings?)]
    )
    func extensionRunsOnlyForAMutableAlertThatAppears(_ aps: String, _ settings: NotificationSettings?) throws {
        var device = try NotificationDevice(app: Self.withExtension(settings))
        try device.deliver("n", aps)
        #expect(device.calls.isEmpty)
        #expect(device.model.decision(on: "n")?.presentation != .pending)
    }

    // MARK: Actions

    private static let categories = [
        NotificationCategory(
            identifier: "EPISODE",
            actions: [
                NotificationAction(identifier: "WATCH", title: "Watch", options: [.foreground]),
                NotificationAction(identifier: "LATER", title: "Later"),
                NotificationAction(
                    identifier: "DELETE",
                    title: "Delete",
                    options: [.destructive, .authenticationRequired]
                ),
                NotificationAction(identifier: "REPLY", title: "Reply", textInputButtonTitle: "Send"),
            ],
            customDismissAction: true
        )
    ]

    private static func withActions(locked: Bool? = nil) throws -> NotificationDevice {
        var device = try NotificationDevice(app: NotificationDevice.description(categories: categories), locked: locked)
        try device.deliver("n", #""alert":"A","category":"EPISODE""#)
        return device
    }

    @Test(.proves("N9")) func foregroundActionOpensASceneWithTheAction() throws {
        var device = try Self.withActions()
        let effects = device.apply(.notification(.notificationActionChosen("n", action: "WATCH", text: nil)))
        guard case .scene(.sceneActivated(let opened)) = effects.first else { throw Missing() }
        #expect(opened.scene == "main")
        #expect(opened.cause == .foregroundAction)
        #expect(device.model.activations(of: NotificationDevice.app).map(\.notification?.actionIdentifier) == ["WATCH"])
        #expect(device.calls.isEmpty)
    }

    @Test(.proves("N10", "N12")) func otherActionCallsTheAppInTheBackground() throws {
        var device = try Self.withActions()
        device.apply(.system(.appForceQuit(NotificationDevice.app)))
        device.apply(.notification(.notificationActionChosen("n", action: "REPLY", text: "On my way")))
        let call = try #require(device.model.calls(of: NotificationDevice.app).first)
        #expect(call.function == .didReceiveResponse)
        #expect((call.notification.actionIdentifier, call.notification.userText) == ("REPLY", "On my way"))
        #expect(device.model.activations(of: NotificationDevice.app).isEmpty)
        // The app runs again.
        try device.deliver("silent", #""content-available":1"#)
        #expect(device.model.decision(on: "silent")?.launch?.outcome == .launched)
    }

    @Test(
        .proves("N11"),
        arguments: [
            ("OTHER", nil, .unknownAction), ("REPLY", nil, .unusableText), ("LATER", "text", .unusableText),
            ("DELETE", nil, .locked), ("WATCH", nil, .locked),
        ] as [(String, String?, IgnoredEvent.Reason)]
    )
    func unusableActionSaysWhy(_ action: String, _ text: String?, _ reason: IgnoredEvent.Reason) throws {
        var device = try Self.withActions(locked: true)
        let effects = device.apply(.notification(.notificationActionChosen("n", action: action, text: text)))
        guard case .system(.eventIgnored(let ignored)) = effects.first else { throw Missing() }
        #expect(ignored.reason == reason)
        #expect(ignored.explanation.contains(action))
        device.apply(.setting(.lockSet(isOn: false)))
        guard reason == .locked else { return }
        #expect(device.apply(.notification(.notificationActionChosen("n", action: action, text: text))).count == 1)
    }

    @Test func lockedDeviceOpensNoNotification() throws {
        var device = try Self.withActions(locked: true)
        guard case .system(.eventIgnored(let ignored)) = device.apply(.notification(.notificationOpened("n"))).first
        else { throw Missing() }
        #expect(ignored.reason == .locked)
    }

    @Test(.proves("N13")) func dismissedNotificationCallsTheAppIfItsCategorySaysSo() throws {
        var device = try Self.withActions()
        device.apply(.notification(.notificationDismissed("n")))
        let call = try #require(device.model.calls(of: NotificationDevice.app).first)
        #expect(call.notification.actionIdentifier == "com.apple.UNNotificationDismissActionIdentifier")
        #expect(device.model.notifications.isEmpty)
    }

    @Test func callEndsOnce() throws {
        var device = try Self.withActions()
        device.apply(.notification(.notificationActionChosen("n", action: "LATER", text: nil)))
        let number = try #require(device.model.calls(of: NotificationDevice.app).first?.number)
        #expect(
            device.apply(.notification(.appCallFinished(NotificationDevice.app, call: number, AppCallResult()))).isEmpty
        )
        let again = device.apply(.notification(.appCallFinished(NotificationDevice.app, call: number, AppCallResult())))
        guard case .system(.eventIgnored(let ignored)) = again.first else { throw Missing() }
        #expect(ignored.reason == .unknownCall)
    }

    @Test func processReceivesEachCallOnceAndOnlyThatOfItsProgram() throws {
        var device = try NotificationDevice(app: Self.withExtension())
        var (app, service) = (
            AppProcess(of: NotificationDevice.app), AppProcess(of: NotificationDevice.app, as: .serviceExtension)
        )
        try device.deliver("n", Self.mutable + #","content-available":1"#)
        func functions(_ events: [AppEvent]) -> [AppCall.Function] {
            events.compactMap { if case .called(let call) = $0 { call.function } else { nil } }
        }
        #expect(functions(app.newEvents(on: device.model)) == [.didReceiveRemoteNotification])
        #expect(functions(service.newEvents(on: device.model)) == [.didReceiveRequest])
        #expect(app.newEvents(on: device.model).isEmpty)
        #expect(service.newEvents(on: device.model).isEmpty)
    }
}
