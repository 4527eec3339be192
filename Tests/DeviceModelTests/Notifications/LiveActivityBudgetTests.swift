import DeviceModel
import Testing
import WaypostSchema

/// The budget for updates of Live Activities with priority 10.
@Suite struct LiveActivityBudgetTests {
    /// A device on which a Live Activity runs.
    private struct Device {
        var device: NotificationDevice
        private var number = 0

        init(hasFrequentUpdates: Bool?, budget: PushBudget? = nil) throws {
            let app = NotificationDevice.description(
                hasFrequentUpdates: hasFrequentUpdates,
                budgets: PushBudgets(liveActivity: budget)
            )
            device = try NotificationDevice(app: app)
            try send(#""event":"start","timestamp":1,"attributes-type":"Match","attributes":{},"content-state":{}"#)
        }

        @discardableResult
        mutating func send(_ aps: String, priority: Int = 10) throws -> LiveActivityDecision {
            number += 1
            let id = NotificationID(rawValue: "n\(number)")
            try device.deliver(
                id,
                aps,
                suffix: ".push-type.liveactivity",
                pushType: "liveactivity",
                priority: priority
            )
            return try #require(device.model.decision(on: id)?.liveActivity)
        }

        /// Sends updates, and returns the last decision.
        @discardableResult
        mutating func update(times: Int = 1, priority: Int = 10) throws -> LiveActivityDecision {
            for _ in 1..<times { try send(Self.payload, priority: priority) }
            return try send(Self.payload, priority: priority)
        }

        private static let payload = #""event":"update","timestamp":1,"content-state":{}"#
    }

    @Test(arguments: [(false, 15), (true, 236)])
    func updateAboveTheBudgetIsDropped(_ hasFrequentUpdates: Bool, _ count: Int) throws {
        var device = try Device(hasFrequentUpdates: hasFrequentUpdates)
        let last = try device.update(times: count)
        #expect(last.outcome == .updated)
        let dropped = try device.update()
        #expect((dropped.outcome, dropped.activity) == (.ignored, nil))
        #expect(NotificationDevice.failure(dropped.gates) == [.budget])
        for part in [
            "had \(count) of \(count) updates with priority 10 in the last hour",
            "supportsFrequentLiveActivityUpdates is \(hasFrequentUpdates)", "one report: ",
        ] {
            #expect(dropped.explanation.contains(part), "\(dropped.explanation)")
        }
    }

    @Test func appThatDeclaresNothingHasNoBudget() throws {
        var device = try Device(hasFrequentUpdates: nil)
        let last = try device.update(times: 300)
        #expect(last.outcome == .updated)
        #expect(last.gates.map(\.gate) == [.event, .activity, .timestamp])
    }

    @Test(arguments: [nil, true] as [Bool?])
    func budgetOfTheDescriptionIsUsedInsteadOfTheReportedOne(_ isFrequent: Bool?) throws {
        var device = try Device(hasFrequentUpdates: isFrequent, budget: PushBudget(count: 2, hours: 7))
        try device.update(times: 2)
        device.device.wait(6 * NotificationDevice.hour)
        let dropped = try device.update()
        #expect(NotificationDevice.failure(dropped.gates) == [.budget])
        #expect(
            dropped.explanation.hasSuffix(
                "had 2 of 2 updates with priority 10 in the last 7 hours, so this one is dropped "
                    + "(budgets.liveActivity of the app)"
            )
        )
        device.device.wait(NotificationDevice.hour)
        let update = try device.update()
        #expect(update.outcome == .updated)
    }

    @Test func updateWithPriority5IsNotCounted() throws {
        var device = try Device(hasFrequentUpdates: false)
        try device.update(times: 20, priority: 5)
        let last = try device.update(times: 15)
        #expect(last.outcome == .updated)
        let update = try device.update(priority: 5)
        #expect(update.outcome == .updated)
    }

    @Test func droppedUpdateIsNotCounted() throws {
        var device = try Device(hasFrequentUpdates: false)
        for _ in 1...20 { try device.send(#""event":"update","timestamp":0,"content-state":{}"#) }
        let last = try device.update(times: 15)
        #expect(last.outcome == .updated)
    }

    @Test func endIsAppliedWithoutABudget() throws {
        var device = try Device(hasFrequentUpdates: false)
        try device.update(times: 16)
        let end = try device.send(#""event":"end","timestamp":1"#)
        #expect(end.outcome == .ended)
    }

    @Test func budgetIsForAnHourBeforeTheUpdate() throws {
        var device = try Device(hasFrequentUpdates: false)
        try device.update()
        device.device.wait(60_000)
        try device.update(times: 14)
        device.device.wait(NotificationDevice.hour - 60_001)
        let early = try device.update()
        #expect(NotificationDevice.failure(early.gates) == [.budget])
        device.device.wait(1)
        let late = try device.update()
        #expect(late.outcome == .updated)
        let tooMany = try device.update()
        #expect(NotificationDevice.failure(tooMany.gates) == [.budget])
    }

    @Test func budgetOfARemovedAppIsForgotten() throws {
        var device = try Device(hasFrequentUpdates: false)
        try device.update(times: 15)
        device.device.apply(.system(.appRemoved(NotificationDevice.app)))
        device.device.apply(.system(.appInstalled(NotificationDevice.description(hasFrequentUpdates: false))))
        try device.send(#""event":"start","timestamp":1,"attributes-type":"Match","attributes":{},"content-state":{}"#)
        let update = try device.update()
        #expect(update.outcome == .updated)
    }
}
