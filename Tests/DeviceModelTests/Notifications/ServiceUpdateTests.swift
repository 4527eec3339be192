import DeviceModel
import Testing
import WaypostSchema

/// Service updates of push to talk: their budget, and what they do not allow.
@Suite struct ServiceUpdateTests {
    private static let serviceUpdate = #""ptt-push-type":"service-update""#

    /// Delivers a push to talk, which the app answers; returns the decision.
    @discardableResult
    private static func send(
        _ number: Int,
        _ aps: String = serviceUpdate,
        priority: Int = 10,
        result: AppCallResult = AppCallResult(),
        to device: inout NotificationDevice
    ) throws -> LaunchDecision {
        let id = NotificationID(rawValue: "n\(number)")
        try device.deliver(id, aps, suffix: ".voip-ptt", pushType: "pushtotalk", priority: priority)
        device.finish(result)
        return try #require(device.model.decision(on: id)?.launch)
    }

    private static func device(_ budgets: PushBudgets? = nil) throws -> NotificationDevice {
        try NotificationDevice(app: NotificationDevice.description(budgets: budgets))
    }

    @Test func seventhUpdateInAnHourIsDropped() throws {
        var device = try Self.device()
        for number in 1...6 {
            let decision = try Self.send(number, to: &device)
            #expect(decision.outcome == .launched)
            #expect(decision.gates.map(\.gate) == [.backgroundMode, .budget])
        }
        let dropped = try Self.send(7, to: &device)
        #expect(dropped.outcome == .dropped)
        #expect(NotificationDevice.failure(dropped.gates) == [.budget])
        for part in ["6 of 6 service updates with priority 10 in the last hour", "is dropped", "(Apple: PTChannel"] {
            #expect(dropped.explanation.contains(part), "\(dropped.explanation)")
        }
        #expect(device.calls.isEmpty)
        device.wait(NotificationDevice.hour)
        let later = try Self.send(8, to: &device)
        #expect(later.outcome == .launched)
    }

    @Test(
        arguments: [(serviceUpdate, 5), (serviceUpdate, 1), ("", 10), (#""ptt-push-type":"honk""#, 10)]
            as [(String, Int)]
    )
    func otherPushesHaveNoBudget(_ aps: String, priority: Int) throws {
        var device = try Self.device()
        for number in 1...6 { try Self.send(number, to: &device) }
        for number in 7...20 {
            let decision = try Self.send(number, aps, priority: priority, to: &device)
            #expect(decision.outcome == .launched)
            #expect(decision.gates.map(\.gate) == [.backgroundMode])
        }
        let dropped = try Self.send(21, to: &device)
        #expect(dropped.outcome == .dropped)
    }

    @Test func budgetOfTheDescriptionIsUsed() throws {
        var device = try Self.device(PushBudgets(serviceUpdate: PushBudget(count: 1, hours: 2)))
        try Self.send(1, to: &device)
        let dropped = try Self.send(2, to: &device)
        #expect(dropped.outcome == .dropped)
        #expect(dropped.explanation.hasSuffix("(budgets.serviceUpdate of the app)"), "\(dropped.explanation)")
    }

    @Test func droppedUpdateIsNotCounted() throws {
        var device = try Self.device()
        for number in 1...6 { try Self.send(number, to: &device) }
        device.wait(NotificationDevice.hour / 2)
        for number in 7...9 { try Self.send(number, to: &device) }
        device.wait(NotificationDevice.hour / 2)
        for number in 10...15 {
            let decision = try Self.send(number, to: &device)
            #expect(decision.outcome == .launched)
        }
    }

    @Test(
        arguments: [
            (serviceUpdate, "; it named a participant, but a service update gives no right to talk (Apple: "),
            ("", "; it named a participant"),
        ]
    )
    func participantOfAServiceUpdateHasNoEffect(_ aps: String, _ consequence: String) throws {
        var device = try NotificationDevice(app: NotificationDevice.description(mustReportCalls: true))
        let decision = try Self.send(1, aps, result: AppCallResult(participant: "Crusty"), to: &device)
        #expect(decision.explanation.contains(consequence), "\(decision.explanation)")
        #expect(decision.explanation.contains("right to talk") == (aps == Self.serviceUpdate))
    }
}
