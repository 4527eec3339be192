import DeviceModel
import Testing
import WaypostSchema

/// VoIP pushes for which iOS 26.4 and later demand no call.
@Suite struct CallMetadataTests {
    /// A device and a push, and the circumstance in which no call is demanded.
    struct Case: Sendable, CustomTestStringConvertible {
        var system: SystemVersion? = "26.4"
        var state = SceneState.background
        var isInCall = false
        var isLocked = false

        /// The time at which the push expires, in seconds after it arrives.
        var expiresIn: Int?
        var circumstance: String?

        var testDescription: String {
            "\(system?.rawValue ?? "no version"), \(state), call: \(isInCall), locked: \(isLocked), "
                + "expires in: \(expiresIn.map { "\($0) s" } ?? "never")"
        }
    }

    private static let exemptions = [
        Case(state: .foregroundActive, circumstance: "com.example.tv is in the foreground"),
        Case(isInCall: true, circumstance: "the user is in a call"),
        Case(expiresIn: -20, circumstance: "the push is late: it expired 20 seconds ago"),
        Case(expiresIn: -1, circumstance: "the push is late: it expired 1 second ago"),
        Case(
            system: "27",
            state: .foregroundActive,
            isInCall: true,
            circumstance: "com.example.tv is in the foreground"
        ),
    ]

    private static let duties = [
        Case(), Case(expiresIn: 0), Case(expiresIn: 30), Case(state: .foregroundActive, isLocked: true),
        Case(system: "26.3", state: .foregroundActive, isInCall: true, expiresIn: -20),
        Case(system: nil, state: .foregroundActive, isInCall: true, expiresIn: -20),
    ]

    /// Delivers the push of a case, whose app has the duty to report calls.
    private static func device(after example: Case, mustReportCalls: Bool? = true) throws -> NotificationDevice {
        let app = NotificationDevice.description(state: example.state, mustReportCalls: mustReportCalls)
        var device = try NotificationDevice(app: app, locked: example.isLocked, system: example.system)
        if example.isInCall { device.apply(.setting(.activeCallSet(isOn: true))) }
        let expiration = example.expiresIn.map { device.now.rawValue / 1_000 + $0 }
        try device.deliver("call", "", suffix: ".voip", pushType: "voip", expiration: expiration)
        return device
    }

    private static func explanation(_ device: NotificationDevice) throws -> String {
        try #require(device.model.decision(on: "call")?.launch).explanation
    }

    @Test(arguments: exemptions) func appNeedNotReportACall(_ example: Case) throws {
        var device = try Self.device(after: example)
        let call = try #require(device.model.calls(of: NotificationDevice.app).first)
        #expect(call.mustReport == false)
        let circumstance = try #require(example.circumstance)
        let effects = device.finish(AppCallResult())
        #expect(effects.isEmpty)
        let explanation = try Self.explanation(device)
        let sentence = "; it need not report a call, because \(circumstance) (from iOS 26.4 on; Apple: "
        #expect(explanation.contains(sentence), "\(explanation)")
        #expect(!explanation.contains("so the system ended it"), "\(explanation)")
    }

    @Test(arguments: duties) func appMustReportACall(_ example: Case) throws {
        var device = try Self.device(after: example)
        let call = try #require(device.model.calls(of: NotificationDevice.app).first)
        #expect(call.mustReport == (example.system == "26.4" ? true : nil))
        let effects = device.finish(AppCallResult())
        let endings = effects.filter { if case .notification(.appEnded(_, _)) = $0 { true } else { false } }
        #expect(endings.count == 1)
        let explanation = try Self.explanation(device)
        #expect(explanation.contains("it reported no call, so the system ended it"), "\(explanation)")
        #expect(!explanation.contains("it need not report a call"), "\(explanation)")
    }

    @Test func pushWithoutTheDutyIsNotCounted() throws {
        var device = try Self.device(after: Self.exemptions[1])
        device.finish(AppCallResult())
        for number in 1...5 {
            try device.deliver(NotificationID(rawValue: "n\(number)"), "", suffix: ".voip", pushType: "voip")
            device.finish(AppCallResult())
        }
        device.apply(.setting(.activeCallSet(isOn: false)))
        try device.deliver("next", "", suffix: ".voip", pushType: "voip")
        let launch = try #require(device.model.decision(on: "next")?.launch)
        #expect(launch.outcome == .launched)
        #expect(device.model.calls(of: NotificationDevice.app).map(\.mustReport) == [true])
    }

    @Test func appWithoutTheDutyIsToldToo() throws {
        let device = try Self.device(after: Self.exemptions[0], mustReportCalls: nil)
        #expect(device.model.calls(of: NotificationDevice.app).map(\.mustReport) == [false])
    }

    @Test func pushToTalkHasNoMetadata() throws {
        var device = try NotificationDevice(system: "26.4")
        try device.deliver("talk", "", suffix: ".voip-ptt", pushType: "pushtotalk")
        #expect(device.model.calls(of: NotificationDevice.app).map(\.mustReport) == [nil])
    }

    @Test func descriptionHasTheCallAndTheSystem() throws {
        let description = DeviceDescription(name: "iPhone", system: "26.4", apps: [], activeCall: true)
        var device = try DeviceModel(description)
        #expect(device.description == description)
        device.go(through: .setting(.activeCallSet(isOn: false)))
        #expect(device.description.activeCall == nil)
        #expect(device.description.system == "26.4")
    }
}
