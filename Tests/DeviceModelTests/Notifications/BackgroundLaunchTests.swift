import DeviceModel
import PushRules
import Testing
import WaypostSchema
import WaypostTestSupport

/// Background notifications: which ones start the app, and when.
@Suite struct BackgroundLaunchTests {
    private static let silent = #""content-available":1"#

    /// An app and a device on which one condition differs.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var app = NotificationDevice.description()
        var lowPowerMode = false
        var outcome: LaunchDecision.Outcome
        var failed: [NotificationGate] = []
        var testDescription: String { name }
    }

    @Test(
        .proves("N24", "N25", "N26", "N27", "N28"),
        arguments: [
            Case(name: "the app is in the background", outcome: .launched),
            Case(
                name: "the app is in the foreground",
                app: NotificationDevice.description(state: .foregroundActive, modes: nil),
                outcome: .delivered
            ),
            Case(
                name: "no background mode",
                app: NotificationDevice.description(modes: [.voip]),
                outcome: .dropped,
                failed: [.backgroundMode]
            ),
            Case(
                name: "no Background App Refresh",
                app: NotificationDevice.description(refresh: false),
                outcome: .dropped,
                failed: [.backgroundRefresh]
            ),
            Case(name: "Low Power Mode", lowPowerMode: true, outcome: .held, failed: [.lowPowerMode]),
        ]
    )
    func eachConditionDecidesAlone(_ example: Case) throws {
        var device = try NotificationDevice(app: example.app, lowPowerMode: example.lowPowerMode)
        try device.deliver("n", Self.silent, pushType: .background)
        let launch = try #require(device.model.decision(on: "n")?.launch)
        #expect(launch.outcome == example.outcome)
        #expect(NotificationDevice.failure(launch.gates) == example.failed)
        let isCalled = example.outcome == .launched || example.outcome == .delivered
        #expect(device.calls == (isCalled ? [.didReceiveRemoteNotification] : []))
        if let failed = launch.gates.first(where: { $0.status == .fail }) {
            #expect(launch.explanation == failed.explanation)
        }
    }

    @Test func payloadWithoutContentAvailableStartsNothing() throws {
        var device = try NotificationDevice()
        try device.deliver("n", #""alert":"A","content-available":0"#)
        #expect(device.model.decision(on: "n")?.launch == nil)
        #expect(device.calls.isEmpty)
    }

    @Test(.proves("N29")) func fourthNotificationInAnHourWaitsUntilTheFirstIsAnHourOld() throws {
        var device = try NotificationDevice()
        for number in 1...3 {
            try device.deliver(NotificationID(rawValue: "n\(number)"), Self.silent)
            device.wait(60_000)
        }
        try device.deliver("n4", Self.silent)
        let held = try #require(device.model.decision(on: "n4")?.launch)
        #expect(held.outcome == .held)
        #expect(NotificationDevice.failure(held.gates) == [.budget])
        #expect(
            held.explanation.hasSuffix(
                "had 3 of 3 launches in the background in the last hour, so this one waits "
                    + "(Apple: Pushing background updates to your App)"
            )
        )
        let reaction = device.model.apply(.system(.timePassed), at: device.now)
        let start = device.now.rawValue - 3 * 60_000
        #expect(reaction.nextDeadline == Timestamp(milliseconds: start + NotificationDevice.hour))
        device.wait(NotificationDevice.hour - 3 * 60_000 - 1)
        #expect(device.model.decision(on: "n4")?.launch?.outcome == .held)
        device.wait(1)
        #expect(device.model.decision(on: "n4")?.launch?.outcome == .launched)
        #expect(device.model.decision(on: "n4")?.launch?.explanation.hasSuffix("after it waited") == true)
    }

    @Test func budgetOfTheDescriptionIsUsed() throws {
        let budgets = PushBudgets(background: PushBudget(count: 1, hours: 2))
        var device = try NotificationDevice(app: NotificationDevice.description(budgets: budgets))
        try device.deliver("n1", Self.silent)
        try device.deliver("n2", Self.silent)
        let held = try #require(device.model.decision(on: "n2")?.launch)
        #expect(held.outcome == .held)
        #expect(
            held.explanation.hasSuffix(
                "had 1 of 1 launches in the background in the last 2 hours, so this one waits "
                    + "(budgets.background of the app)"
            )
        )
        device.wait(2 * NotificationDevice.hour - 1)
        #expect(device.model.decision(on: "n2")?.launch?.outcome == .held)
        device.wait(1)
        #expect(device.model.decision(on: "n2")?.launch?.outcome == .launched)
    }

    @Test func budgetOfZeroStartsNothing() throws {
        let budgets = PushBudgets(background: PushBudget(count: 0, hours: 1))
        var device = try NotificationDevice(app: NotificationDevice.description(budgets: budgets))
        try device.deliver("n", Self.silent)
        device.wait(24 * NotificationDevice.hour)
        #expect(device.model.decision(on: "n")?.launch?.outcome == .held)
    }

    @Test(.proves("N30")) func onlyTheNewestWaits() throws {
        var device = try NotificationDevice(lowPowerMode: true)
        try device.deliver("n1", Self.silent)
        try device.deliver("n2", Self.silent)
        let first = try #require(device.model.decision(on: "n1")?.launch)
        #expect((first.outcome, first.explanation.contains("n2")) == (.dropped, true))
        device.apply(.setting(.lowPowerModeSet(isOn: false)))
        #expect(device.model.decision(on: "n2")?.launch?.outcome == .launched)
        #expect(device.model.calls(of: NotificationDevice.app).map(\.notification.id) == ["n2"])
    }

    @Test func waitingNotificationIsStartedAtItsTimeAlsoIfNothingHappensThen() throws {
        var device = try NotificationDevice()
        for number in 1...4 { try device.deliver(NotificationID(rawValue: "n\(number)"), Self.silent) }
        device.now = device.now.later(by: 2 * NotificationDevice.hour)
        try device.deliver("n5", Self.silent)
        #expect(device.model.decision(on: "n4")?.launch?.outcome == .launched)
        #expect(device.model.decision(on: "n5")?.launch?.outcome == .launched)
    }

    @Test func budgetThatIsFullCountsAfterLowPowerMode() throws {
        var device = try NotificationDevice()
        for number in 1...3 { try device.deliver(NotificationID(rawValue: "n\(number)"), Self.silent) }
        device.apply(.setting(.lowPowerModeSet(isOn: true)))
        try device.deliver("n4", Self.silent)
        #expect(NotificationDevice.failure(device.model.decision(on: "n4")?.launch?.gates) == [.lowPowerMode])
        device.apply(.setting(.lowPowerModeSet(isOn: false)))
        #expect(NotificationDevice.failure(device.model.decision(on: "n4")?.launch?.gates) == [.budget])
        device.wait(NotificationDevice.hour)
        #expect(device.model.decision(on: "n4")?.launch?.outcome == .launched)
    }

    @Test func waitingNotificationReachesTheAppAlsoIfTheUserDismissedIt() throws {
        var device = try NotificationDevice(lowPowerMode: true)
        try device.deliver("n", #""alert":"A","content-available":1"#, pushType: .background)
        device.apply(.notification(.notificationDismissed("n")))
        device.apply(.setting(.lowPowerModeSet(isOn: false)))
        #expect(device.model.calls(of: NotificationDevice.app).map(\.pushType) == [.background])
    }

    @Test func unlockedAppInTheForegroundReceivesWhatWaits() throws {
        let app = NotificationDevice.description(state: .foregroundActive)
        var device = try NotificationDevice(app: app, lowPowerMode: true, locked: true)
        try device.deliver("n", Self.silent)
        #expect(device.model.decision(on: "n")?.launch?.outcome == .held)
        device.apply(.setting(.lockSet(isOn: false)))
        #expect(device.model.decision(on: "n")?.launch?.outcome == .delivered)
    }

    @Test(.proves("N31")) func openedAppReceivesWhatWaits() throws {
        var device = try NotificationDevice(lowPowerMode: true)
        try device.deliver("n", Self.silent)
        device.apply(.scene(.appOpened(NotificationDevice.app)))
        #expect(device.model.decision(on: "n")?.launch?.outcome == .delivered)
        #expect(device.calls == [.didReceiveRemoteNotification])
    }

    @Test(.proves("N32", "N33")) func appThatWasForcedToQuitReceivesNothingUntilItIsOpened() throws {
        var device = try NotificationDevice(lowPowerMode: true)
        try device.deliver("n1", Self.silent)
        device.apply(.system(.appForceQuit(NotificationDevice.app)))
        #expect(device.model.decision(on: "n1")?.launch?.outcome == .dropped)
        device.apply(.setting(.lowPowerModeSet(isOn: false)))
        try device.deliver("n2", Self.silent)
        #expect(NotificationDevice.failure(device.model.decision(on: "n2")?.launch?.gates) == [.forceQuit])
        #expect(device.model.app(NotificationDevice.app)?.scenes.map(\.state) == [.disconnected])
        device.apply(.scene(.appOpened(NotificationDevice.app)))
        device.apply(.scene(.sceneBackgrounded(NotificationDevice.app, "main")))
        try device.deliver("n3", Self.silent)
        #expect(device.model.decision(on: "n3")?.launch?.outcome == .launched)
    }

    @Test(.proves("N34")) func appHas30SecondsAndItsResultIsKept() throws {
        var device = try NotificationDevice()
        try device.deliver("n1", Self.silent)
        device.finish(AppCallResult(fetchResult: .newData))
        #expect(device.model.decision(on: "n1")?.launch?.fetchResult == .newData)
        try device.deliver("n2", Self.silent)
        device.wait(29_999)
        #expect(device.calls == [.didReceiveRemoteNotification])
        device.wait(1)
        #expect(device.calls.isEmpty)
        #expect(device.model.decision(on: "n2")?.launch?.fetchResult == nil)
    }

    @Test(
        .proves("N39", "N40", "N41"),
        arguments: zip([".voip", ".voip-ptt"], ["voip", "pushtotalk"] as [PushType])
    )
    func callStartsTheAppAtOnceEvenIfTheUserForcedItToQuit(_ suffix: String, _ type: PushType) throws {
        var device = try NotificationDevice(lowPowerMode: true)
        device.apply(.system(.appForceQuit(NotificationDevice.app)))
        try device.deliver("n", #""caller":"Crusty""#, suffix: suffix, pushType: type)
        #expect(device.model.decision(on: "n")?.launch?.outcome == .launched)
        #expect(device.calls == [.didReceiveIncomingPush])
        #expect(device.model.calls(of: NotificationDevice.app).map(\.pushType) == [type])
        #expect(device.model.notifications.isEmpty)
        #expect(device.model.topics.contains(Topic(rawValue: NotificationDevice.app.rawValue + suffix)))
    }

    @Test func keyOfTheDescriptionGivesTheDeviceTheTopicOfAPushType() throws {
        let app = NotificationDevice.app.rawValue
        let suffixes = PushTypeContract.all.filter { $0.descriptionKey != nil }.compactMap(\.topicSuffix)
        var description = NotificationDevice.description()
        description.pushReceivers = PushReceiver.allCases
        let topics = try NotificationDevice(app: description).model.topics.map(\.rawValue).filter {
            $0.hasPrefix(app + ".")
        }
        #expect(Set(topics) == Set(suffixes.map { app + $0 }))
        #expect(suffixes.count == 8)
    }

    @Test func callForAnAppWithoutTheModeIsDiscarded() throws {
        var device = try NotificationDevice(app: NotificationDevice.description(modes: nil))
        let effects = try device.deliver("n", "", suffix: ".voip", pushType: "voip")
        #expect(effects == [.notification(.notificationDiscarded("n", "com.example.tv.voip"))])
        #expect(!device.model.topics.contains("com.example.tv.voip"))
    }
}
