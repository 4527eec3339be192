import DeviceModel
import Testing
import WaypostSchema

/// The duty of an app to report a call for a VoIP push, and a participant for a push to talk.
@Suite struct IncomingPushDutyTests {
    /// A device whose app has the duty, and its pushes.
    private struct Device {
        var device: NotificationDevice
        private var number = 0

        init(mustReportCalls: Bool? = true) throws {
            let app = NotificationDevice.description(state: .foregroundActive, mustReportCalls: mustReportCalls)
            device = try NotificationDevice(app: app)
        }

        /// Delivers a push, and returns its identifier.
        @discardableResult
        mutating func deliver(_ pushType: PushType = "voip", _ aps: String = "") throws -> NotificationID {
            number += 1
            let id = NotificationID(rawValue: "n\(number)")
            try device.deliver(id, aps, suffix: pushType == "voip" ? ".voip" : ".voip-ptt", pushType: pushType)
            return id
        }

        /// Delivers a push that the app answers with nothing.
        mutating func miss(_ pushType: PushType = "voip") throws {
            try deliver(pushType)
            device.finish(AppCallResult())
        }

        func launch(_ id: NotificationID) -> LaunchDecision? { device.model.decision(on: id)?.launch }

        var sceneStates: [SceneState] {
            device.model.app(NotificationDevice.app)?.scenes.map(\.state) ?? []
        }
    }

    /// A result of the app for a push, and the consequence.
    struct Case: Sendable, CustomTestStringConvertible {
        var pushType: PushType
        var result: AppCallResult
        var consequence: String
        var testDescription: String { "\(pushType): \(consequence)" }
    }

    private static func endings(in effects: [DeviceEffect]) -> [BundleIdentifier] {
        effects.compactMap { if case .notification(.appEnded(let app, _)) = $0 { app } else { nil } }
    }

    @Test(
        arguments: [
            Case(pushType: "voip", result: AppCallResult(reportedCall: true), consequence: "it reported a call"),
            Case(
                pushType: "pushtotalk",
                result: AppCallResult(participant: "Crusty"),
                consequence: "it named a participant"
            ),
            Case(
                pushType: "pushtotalk",
                result: AppCallResult(leavesChannel: true),
                consequence: "it left the channel"
            ),
        ]
    )
    func appThatDoesItsDutyRuns(_ example: Case) throws {
        var device = try Device()
        let id = try device.deliver(example.pushType)
        let effects = device.device.finish(example.result)
        #expect(effects.isEmpty)
        #expect(device.sceneStates == [.foregroundActive])
        #expect(device.launch(id)?.explanation.hasSuffix("; \(example.consequence)") == true)
    }

    @Test(
        arguments: [
            Case(
                pushType: "voip",
                result: AppCallResult(),
                consequence: "it reported no call, so the system ended it (Apple: "
            ),
            Case(
                pushType: "voip",
                result: AppCallResult(reportedCall: false, participant: "Crusty", leavesChannel: true),
                consequence: "it reported no call, so the system ended it (Apple: "
            ),
            Case(
                pushType: "pushtotalk",
                result: AppCallResult(reportedCall: true, participant: "", leavesChannel: false),
                consequence: "it named no participant and did not leave the channel, so the system ended it (Apple: "
            ),
        ]
    )
    func appThatDoesNotIsEnded(_ example: Case) throws {
        var device = try Device()
        let id = try device.deliver(example.pushType)
        let effects = device.device.finish(example.result)
        #expect(Self.endings(in: effects) == [NotificationDevice.app])
        let ending = try #require(effects.last)
        #expect(ending.appEvent(for: NotificationDevice.app) == .detached(.callNotReported))
        #expect(ending.appEvent(for: "com.example.other") == nil)
        #expect(device.sceneStates == [.disconnected])
        let launch = try #require(device.launch(id))
        #expect(launch.outcome == .delivered)
        #expect(launch.explanation.contains("; \(example.consequence)"), "\(launch.explanation)")
    }

    @Test func appThatDoesNotAnswerInTimeIsEnded() throws {
        var device = try Device()
        let id = try device.deliver()
        let early = device.device.wait(29_999)
        #expect(Self.endings(in: early).isEmpty)
        let effects = device.device.wait(1)
        #expect(Self.endings(in: effects) == [NotificationDevice.app])
        let explanation = device.launch(id)?.explanation ?? ""
        #expect(explanation.contains("it reported no call in 30 seconds, so the system ended it"), "\(explanation)")
    }

    @Test(arguments: [nil, false] as [Bool?])
    func appWithoutTheDutyRuns(_ mustReportCalls: Bool?) throws {
        var device = try Device(mustReportCalls: mustReportCalls)
        for _ in 1...5 { try device.miss() }
        let id = try device.deliver()
        let launch = try #require(device.launch(id))
        #expect((launch.outcome, launch.gates.map(\.gate)) == (.delivered, [.backgroundMode]))
        let effects = device.device.wait(30_000)
        #expect(Self.endings(in: effects).isEmpty)
        #expect(device.sceneStates == [.foregroundActive])
    }

    @Test func pushesAfterThreeMissedCallsAreDroppedUntilTheAppIsInstalledAgain() throws {
        var device = try Device()
        for _ in 1...3 { try device.miss() }
        let description = try #require(device.device.model.app(NotificationDevice.app))
        // An update of the app changes nothing.
        device.device.apply(.system(.appInstalled(description)))
        let dropped = try device.deliver()
        let launch = try #require(device.launch(dropped))
        #expect(launch.outcome == .dropped)
        #expect(NotificationDevice.failure(launch.gates) == [.callReport])
        #expect(launch.explanation.contains("for its last 3 VoIP pushes"), "\(launch.explanation)")
        #expect(launch.explanation.hasSuffix("the number: ours)"), "\(launch.explanation)")
        #expect(device.device.calls.isEmpty)
        let talk = try device.deliver("pushtotalk")
        #expect(device.launch(talk)?.outcome == .launched)
        device.device.apply(.system(.appRemoved(NotificationDevice.app)))
        device.device.apply(.system(.appInstalled(description)))
        let delivered = try device.deliver()
        #expect(device.launch(delivered)?.outcome == .launched)
    }

    @Test func serviceUpdateNeedsNoParticipant() throws {
        var device = try Device()
        try device.deliver("pushtotalk", #""ptt-push-type":"service-update""#)
        let effects = device.device.finish(AppCallResult())
        #expect(Self.endings(in: effects).isEmpty)
        #expect(device.sceneStates == [.foregroundActive])
    }

    @Test func reportedCallBeginsTheCountAgain() throws {
        var device = try Device()
        for _ in 1...2 { try device.miss() }
        try device.deliver()
        device.device.finish(AppCallResult(reportedCall: true))
        for _ in 1...2 { try device.miss() }
        let last = try device.deliver()
        #expect(device.launch(last)?.outcome == .launched)
    }

    @Test func missedTransmissionsStopNothing() throws {
        var device = try Device()
        for _ in 1...5 { try device.miss("pushtotalk") }
        let talk = try device.deliver("pushtotalk")
        #expect(device.launch(talk)?.outcome == .launched)
        let call = try device.deliver()
        #expect(device.launch(call)?.outcome == .launched)
    }

    /// The system ends the app for the first one, and the process that ended cannot miss the others.
    @Test func callsOfOneMomentCountOnce() throws {
        var device = try Device()
        for _ in 1...3 { try device.deliver() }
        let effects = device.device.wait(30_000)
        #expect(Self.endings(in: effects).count == 1)
        #expect(device.device.calls.isEmpty)
        let next = try device.deliver()
        #expect(device.launch(next)?.outcome == .launched)
    }
}
