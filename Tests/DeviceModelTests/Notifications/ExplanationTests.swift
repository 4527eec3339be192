import DeviceModel
import Testing
import WaypostSchema

/// The explanation of a notification names one cause, and what is unusual in the payload.
@Suite struct ExplanationTests {
    private static func decision(
        _ aps: String,
        settings: NotificationSettings? = nil,
        hasExtension: Bool? = nil
    ) throws -> NotificationDecision? {
        var device = try NotificationDevice(
            app: NotificationDevice.description(settings: settings, hasExtension: hasExtension)
        )
        try device.deliver("n", aps)
        return device.model.decision(on: "n")
    }

    private static func explanation(of gate: NotificationGate, in decision: NotificationDecision?) -> String? {
        decision?.gates.first { $0.gate == gate }?.explanation
    }

    @Test(
        arguments: [
            (#""alert":"A""#, nil, nil, "the payload is not mutable"),
            (#""alert":"A","mutable-content":1"#, nil, nil, "com.example.tv has no service extension"),
            (
                #""badge":1,"mutable-content":1"#, true, nil,
                "there is no alert that the service extension could change"
            ),
            (
                #""alert":"A","mutable-content":1"#, true, false,
                "the service extension is not started, because alerts of com.example.tv are off"
            ),
        ] as [(String, Bool?, Bool?, String)]
    )
    func serviceExtensionHasOneReason(_ aps: String, hasExtension: Bool?, alerts: Bool?, reason: String) throws {
        let settings = alerts.map { NotificationSettings(alertSetting: $0) }
        let decision = try Self.decision(aps, settings: settings, hasExtension: hasExtension)
        #expect(Self.explanation(of: .serviceExtension, in: decision) == reason)
    }

    @Test(
        arguments: [
            (#""alert":"""#, NotificationGate.content, "the alert has no text, and there is no sound or badge"),
            (#""alert":{"title":"","body":""},"sound":"default""#, .alert, "the alert has no text"),
            (#""alert":{},"sound":"default""#, .alert, "the payload has no alert"),
        ]
    )
    func alertOfEmptyStringsIsNone(_ aps: String, gate: NotificationGate, reason: String) throws {
        let decision = try Self.decision(aps)
        #expect(decision?.presentation == .nowhere)
        #expect(Self.explanation(of: gate, in: decision) == reason)
    }

    @Test func criticalSoundThatIsNotAllowedIsAnOrdinaryOne() throws {
        let aps = #""alert":"A","sound":{"critical":1,"name":"horn.caf","volume":1}"#
        let refused = try Self.decision(aps)
        #expect(refused?.sound == NotificationSound(name: "horn.caf"))
        let reason = "it plays 'horn.caf', not as a critical one, which the user does not allow"
        #expect(Self.explanation(of: .sound, in: refused) == reason)
        let allowed = try Self.decision(aps, settings: NotificationSettings(criticalAlertSetting: true))
        #expect(allowed?.sound == NotificationSound(name: "horn.caf", isCritical: true, volume: 1))
    }

    @Test func findingsAreInTheExplanation() throws {
        let decision = try Self.decision(#""alert":"A","content_available":1"#)
        #expect(decision?.findings?.map(\.code) == [.misspelledKey])
        #expect(try Self.decision(#""alert":"A""#)?.findings == nil)
    }

    @Test func newestPushCanBeExplainedWhateverItIs() throws {
        var device = try NotificationDevice()
        try device.deliver("n", #""alert":"A""#)
        let aps = #""event":"update","timestamp":1790000000,"content-state":{}"#
        try device.deliver("a", aps, suffix: ".push-type.liveactivity", pushType: "liveactivity")
        #expect(device.model.notifications.notification(named: "last")?.id == "n")
        #expect(device.model.explainedNotifications.notification(named: "last")?.id == "a")
        #expect(device.model.decision(on: "a")?.liveActivity?.outcome == .ignored)
    }
}
