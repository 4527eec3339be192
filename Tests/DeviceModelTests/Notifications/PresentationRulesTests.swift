import DeviceModel
import Foundation
import Testing
import WaypostSchema
import WaypostTestSupport

/// The decision of a device on a notification, with its reasons.
@Suite struct PresentationRulesTests {
    private static let app: BundleIdentifier = "com.example.tv"
    private static let everything = #""alert":{"title":"A","body":"B"},"sound":"default","badge":3"#

    /// The gates for what the user sees and hears, in their order.
    private static let gates: [NotificationGate] = [
        .content, .authorization, .serviceExtension, .alert, .foreground, .focus, .filter, .level, .summary, .sound,
        .badge,
    ]

    /// A notification that arrives on a device, and what happens with it.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var aps = PresentationRulesTests.everything
        var settings = NotificationSettings()
        var focus: Focus?
        var presentation = NotificationDecision.Presentation.immediate
        var failed: [NotificationGate] = []
        var testDescription: String { name }
    }

    private static func device(_ example: Case, _ strings: [String: [String: String]]? = nil) throws -> DeviceModel {
        var device = try DeviceModel(
            DeviceDescription(
                name: "iPad",
                apps: [
                    AppDescription(
                        bundleIdentifier: app,
                        scenes: [],
                        localizedStrings: strings,
                        notificationSettings: example.settings
                    )
                ],
                focus: example.focus
            )
        )
        _ = device.apply(
            .notification(.notificationDelivered(try notification(example.aps))),
            at: Timestamp(milliseconds: 1)
        )
        return device
    }

    private static func notification(_ aps: String, _ id: NotificationID = "n") throws -> DeliveredNotification {
        let payload = try JSONDecoder().decode(JSONValue.self, from: Data("{\"aps\":{\(aps)}}".utf8))
        return DeliveredNotification(
            sequence: 1,
            id: id,
            token: "00",
            topic: Topic(rawValue: app.rawValue),
            pushType: .alert,
            priority: 10,
            payload: payload
        )
    }

    @Test(
        .proves("N14", "N15", "N16", "N17", "N18", "N19", "N20", "N21"),
        arguments: [
            Case(name: "everything is allowed"),
            Case(
                name: "nothing for the user",
                aps: #""content-available":1"#,
                presentation: .nowhere,
                failed: [.content]
            ),
            Case(
                name: "the app has not asked",
                settings: NotificationSettings(authorizationStatus: .notDetermined),
                presentation: .nowhere,
                failed: [.authorization]
            ),
            Case(
                name: "the user said no",
                settings: NotificationSettings(authorizationStatus: .denied),
                presentation: .nowhere,
                failed: [.authorization]
            ),
            Case(name: "an App Clip", settings: NotificationSettings(authorizationStatus: .ephemeral)),
            Case(
                name: "quietly",
                settings: NotificationSettings(authorizationStatus: .provisional),
                presentation: .list,
                failed: [.sound]
            ),
            Case(
                name: "alerts are off",
                settings: NotificationSettings(alertSetting: false),
                presentation: .nowhere,
                failed: [.alert]
            ),
            Case(name: "no alert", aps: #""sound":"a","badge":1"#, presentation: .nowhere, failed: [.alert]),
            Case(name: "sounds are off", settings: NotificationSettings(soundSetting: false), failed: [.sound]),
            Case(name: "badges are off", settings: NotificationSettings(badgeSetting: false), failed: [.badge]),
            Case(
                name: "a Focus silences the app",
                focus: Focus(name: "Work"),
                presentation: .list,
                failed: [.focus, .sound]
            ),
            Case(name: "a Focus allows the app", focus: Focus(name: "Work", allowedApps: [app])),
            Case(
                name: "time-sensitive despite a Focus",
                aps: everything + #","interruption-level":"time-sensitive""#,
                focus: Focus(name: "Work")
            ),
            Case(
                name: "a Focus silences the time-sensitive too",
                aps: everything + #","interruption-level":"time-sensitive""#,
                focus: Focus(name: "Sleep", allowsTimeSensitive: false),
                presentation: .list,
                failed: [.focus, .sound]
            ),
            Case(
                name: "the user allows no time-sensitive ones",
                aps: everything + #","interruption-level":"time-sensitive""#,
                settings: NotificationSettings(timeSensitiveSetting: false),
                focus: Focus(name: "Work"),
                presentation: .list,
                failed: [.focus, .sound]
            ),
            Case(
                name: "critical alerts that the user allows",
                aps: #""alert":"A","badge":1,"sound":{"critical":1,"name":"a"},"interruption-level":"critical""#,
                settings: NotificationSettings(
                    soundSetting: false,
                    criticalAlertSetting: true,
                    scheduledDeliverySetting: true
                ),
                focus: Focus(name: "Sleep", allowsTimeSensitive: false)
            ),
            Case(
                name: "critical alerts that the user does not allow",
                aps: #""alert":"A","badge":1,"sound":{"critical":1,"name":"a"},"interruption-level":"critical""#,
                focus: Focus(name: "Sleep"),
                presentation: .list,
                failed: [.focus, .sound]
            ),
            Case(
                name: "the filter accepts",
                aps: everything + #","filter-criteria":"family""#,
                focus: Focus(name: "Home", allowedApps: [app], notificationFilters: [app.rawValue: "SELF == 'family'"])
            ),
            Case(
                name: "the filter does not accept",
                aps: everything + #","filter-criteria":"work""#,
                focus: Focus(name: "Home", allowedApps: [app], notificationFilters: [app.rawValue: "SELF == 'family'"]),
                presentation: .list,
                failed: [.filter, .sound]
            ),
            Case(
                name: "a payload without criteria passes the filter",
                focus: Focus(name: "Home", allowedApps: [app], notificationFilters: [app.rawValue: "SELF == 'family'"])
            ),
            Case(
                name: "a critical alert passes the filter, the Focus and the summary",
                aps: #""alert":"A","badge":1,"interruption-level":"critical","filter-criteria":"work""#,
                settings: NotificationSettings(
                    soundSetting: false,
                    criticalAlertSetting: true,
                    scheduledDeliverySetting: true
                ),
                focus: Focus(name: "Home", notificationFilters: [app.rawValue: "SELF == 'family'"])
            ),
            Case(
                name: "a critical sound alone makes a critical alert",
                aps: #""alert":"A","badge":1,"sound":{"critical":1,"name":"a"}"#,
                settings: NotificationSettings(criticalAlertSetting: true),
                focus: Focus(name: "Work")
            ),
            Case(
                name: "passive in the summary",
                aps: everything + #","interruption-level":"passive""#,
                settings: NotificationSettings(scheduledDeliverySetting: true),
                presentation: .summary,
                failed: [.level, .summary, .sound]
            ),
            Case(
                name: "quietly, also with a summary and a critical sound",
                aps: #""alert":"A","badge":1,"sound":{"critical":1,"name":"a"}"#,
                settings: NotificationSettings(
                    authorizationStatus: .provisional,
                    criticalAlertSetting: true,
                    scheduledDeliverySetting: true
                ),
                presentation: .list,
                failed: [.summary, .sound]
            ),
            Case(
                name: "passive",
                aps: everything + #","interruption-level":"passive""#,
                presentation: .list,
                failed: [.level, .sound]
            ),
            Case(
                name: "the summary",
                settings: NotificationSettings(scheduledDeliverySetting: true),
                presentation: .summary,
                failed: [.summary, .sound]
            ),
            Case(
                name: "time-sensitive despite the summary",
                aps: everything + #","interruption-level":"time-sensitive""#,
                settings: NotificationSettings(scheduledDeliverySetting: true)
            ),
        ]
    )
    func eachGateAloneDecidesAndIsNamed(_ example: Case) throws {
        let device = try Self.device(example)
        let decision = try #require(device.decision(on: "n"))
        #expect(decision.presentation == example.presentation)
        #expect(decision.gates.filter { $0.status == .fail }.map(\.gate) == example.failed)
        #expect(decision.gates.map(\.gate) == Self.gates)
        #expect(decision.gates.allSatisfy { !$0.explanation.isEmpty } && !decision.explanation.isEmpty)
        let isHeard = decision.gates.contains { $0.gate == .sound && $0.status == .pass }
        #expect((decision.sound != nil) == isHeard)
        #expect(device.notifications.map(\.presentation) == [example.presentation])
    }

    @Test(
        .proves("N4"),
        arguments: [
            (#""sound":"horn.caf""#, NotificationSound?(NotificationSound(name: "horn.caf"))),
            (
                #""sound":{"critical":1,"name":"a","volume":7}"#,
                NotificationSound(name: "a", isCritical: true, volume: 1)
            ),
            (#""sound":{"name":"a","volume":0.5}"#, NotificationSound(name: "a", volume: 0.5)),
            (#""interruption-level":"critical""#, NotificationSound(name: "default", isCritical: true)),
            (#""sound":{"critical":1}"#, nil), (#""sound":7"#, nil),
        ]
    )
    func soundIsThatOfThePayload(_ aps: String, _ sound: NotificationSound?) throws {
        let settings = NotificationSettings(criticalAlertSetting: true)
        let device = try Self.device(Case(name: "", aps: #""alert":"A","# + aps, settings: settings))
        #expect(device.decision(on: "n")?.sound == sound)
    }

    @Test func filterThatIsNoPredicateIsRefused() throws {
        let focus = Focus(name: "Home", notificationFilters: [Self.app.rawValue: "SELF =="])
        #expect(throws: DescriptionError.self) {
            try DeviceModel(DeviceDescription(name: "iPad", apps: [], focus: focus))
        }
        var device = try Self.device(Case(name: ""))
        let effects = device.apply(.setting(.focusSet(focus)), at: Timestamp(milliseconds: 2)).effects
        guard case .system(.eventIgnored(let ignored)) = effects.first else { throw Missing() }
        #expect(ignored.reason == .unusableCondition && ignored.explanation.contains(Self.app.rawValue))
        #expect(device.focus == nil)
    }

    @Test func badgeAndSettingsSurviveASnapshotAndLeaveWithTheApp() throws {
        var device = try Self.device(Case(name: "", aps: #""badge":7"#))
        let denied = NotificationSettings(authorizationStatus: .denied)
        let events: [DeviceEvent] = [
            .setting(.notificationSettingsSet(Self.app, denied)), .setting(.focusSet(Focus(name: "Work"))),
            .system(.snapshotTaken("before")),
            .setting(.focusSet(nil)), .setting(.notificationSettingsSet(Self.app, NotificationSettings())),
            .notification(.notificationDelivered(try Self.notification(#""badge":0"#, "m"))),
        ]
        for event in events { _ = device.apply(event, at: Timestamp(milliseconds: 2)) }
        #expect(device.badge(of: Self.app) == nil)
        _ = device.apply(.system(.deviceRestored(snapshot: "before")), at: Timestamp(milliseconds: 3))
        #expect(device.badge(of: Self.app) == 7)
        #expect(device.focus == Focus(name: "Work"))
        #expect(device.description.apps.first?.notificationSettings == denied)
        _ = device.apply(.system(.appRemoved(Self.app)), at: Timestamp(milliseconds: 4))
        _ = device.apply(
            .system(.appInstalled(AppDescription(bundleIdentifier: Self.app, scenes: []))),
            at: Timestamp(milliseconds: 5)
        )
        #expect(device.badge(of: Self.app) == nil)
    }

    @Test(
        .proves("N3"),
        arguments: [
            (#""badge":4"#, Int?(4)), (#""badge":0"#, nil), (#""alert":"A""#, 7), (#""badge":"4""#, 7),
            (#""badge":-3"#, 7),
        ]
    )
    func badgeIsSetRemovedOrStays(_ aps: String, _ badge: Int?) throws {
        var device = try Self.device(Case(name: "", aps: #""badge":7"#))
        #expect(device.badge(of: Self.app) == 7)
        _ = device.apply(
            .notification(.notificationDelivered(try Self.notification(aps, "m"))),
            at: Timestamp(milliseconds: 2)
        )
        #expect(device.badge(of: Self.app) == badge)
    }

    @Test func decisionIsThatOfTheArrival() throws {
        var device = try Self.device(Case(name: "", focus: Focus(name: "Work")))
        _ = device.apply(.setting(.focusSet(nil)), at: Timestamp(milliseconds: 2))
        #expect(device.decision(on: "n")?.presentation == .list)
        _ = device.apply(
            .notification(.notificationDelivered(try Self.notification(Self.everything, "m"))),
            at: Timestamp(milliseconds: 3)
        )
        #expect(device.decision(on: "m")?.presentation == .immediate)
    }

    @Test func settingsChangeWithEvents() throws {
        var device = try Self.device(Case(name: ""))
        let denied = NotificationSettings(authorizationStatus: .denied)
        _ = device.apply(.setting(.notificationSettingsSet(Self.app, denied)), at: Timestamp(milliseconds: 2))
        #expect(device.description.apps.first?.notificationSettings == denied)
        _ = device.apply(
            .notification(.notificationDelivered(try Self.notification(Self.everything, "m"))),
            at: Timestamp(milliseconds: 3)
        )
        #expect(device.decision(on: "m")?.presentation == .nowhere)
        let unknown = device.apply(
            .setting(.notificationSettingsSet("com.example.none", denied)),
            at: Timestamp(milliseconds: 4)
        )
        guard case .system(.eventIgnored(let ignored)) = unknown.effects.first else { throw Missing() }
        #expect(ignored.reason == .unknownApp)
    }

    private struct Missing: Error {}

    @Test(
        .proves("N2"),
        arguments: [
            ("ja", #""alert":{"loc-key":"EPISODE","loc-args":["Lasso"]}"#, "Lassoの新しいエピソード"),
            ("en-GB", #""alert":{"loc-key":"EPISODE","loc-args":["Lasso"]}"#, "Lasso has a new episode"),
            ("fr", #""alert":{"loc-key":"EPISODE","loc-args":["Lasso"]}"#, "Lasso has a new episode"),
            ("en", #""alert":{"loc-key":"50%% %@"}"#, "50%% %@"),
            ("ja", #""alert":{"loc-key":"TWO","loc-args":["a","b"]}"#, "b before a: 100%"),
            ("zh-Hant-TW", #""alert":{"loc-key":"EPISODE"}"#, "新的一集"),
            ("en", #""alert":{"loc-key":"TWO","loc-args":["a","b"]}"#, "b before a: 100%"),
            ("en", #""alert":{"loc-key":"TWO","loc-args":["a"]}"#, "%2$@ before a: 100%"),
            ("en", #""alert":{"loc-key":"EPISODE"}"#, "%@ has a new episode"),
            ("en", #""alert":{"loc-key":"EPISODE","loc-args":[7]}"#, "7 has a new episode"),
            ("en", #""alert":{"loc-key":"EPISODE","body":"not this"}"#, "%@ has a new episode"),
        ]
    )
    func textIsThatOfTheUsersLanguage(_ language: String, _ aps: String, _ body: String) throws {
        let strings = [
            "en": ["EPISODE": "%@ has a new episode", "TWO": "%2$@ before %1$@: 100%%"],
            "ja": ["EPISODE": "%@の新しいエピソード"], "zh": ["EPISODE": "新一集"], "zh-Hant": ["EPISODE": "新的一集"],
        ]
        var device = try Self.device(Case(name: ""), strings)
        _ = device.apply(.setting(.languageSet(language)), at: Timestamp(milliseconds: 2))
        _ = device.apply(
            .notification(.notificationDelivered(try Self.notification(aps, "m"))),
            at: Timestamp(milliseconds: 3)
        )
        #expect(device.notifications.last?.body == body)
    }

    @Test(.proves("N2")) func eachPartOfAnAlertHasAKeyAndArgumentsOfItsOwn() throws {
        let aps = """
            "alert":{"title-loc-key":"K","title-loc-args":["1"],"subtitle-loc-key":"K","subtitle-loc-args":["2"],\
            "loc-key":"K","loc-args":["3"],"title":"not this"}
            """
        let device = try Self.device(Case(name: "", aps: aps), ["en": ["K": "part %@"]])
        let shown = try #require(device.notifications.first)
        #expect([shown.title, shown.subtitle, shown.body] == ["part 1", "part 2", "part 3"])
    }

    @Test func partsOfTheContentAreListed() throws {
        let aps = """
            "alert":{"title":"A","subtitle":"B","body":"C"},"thread-id":"t","category":"c",\
            "interruption-level":"time-sensitive","relevance-score":1.5
            """
        let shown = try #require(try Self.device(Case(name: "", aps: aps)).notifications.first)
        #expect([shown.title, shown.subtitle, shown.body] == ["A", "B", "C"])
        #expect(shown.threadIdentifier == "t" && shown.categoryIdentifier == "c")
        #expect(shown.interruptionLevel == .timeSensitive)
        #expect(shown.relevanceScore == 1)
    }
}
