import DeviceModel
import Testing
import WaypostSchema
import WaypostTestSupport

/// Live Activities: started, updated and ended by notifications, and by time.
@Suite struct LiveActivityTests {
    private static let start = newActivity(100)

    private static func newActivity(_ timestamp: Int) -> String {
        #""event":"start","timestamp":\#(timestamp),"attributes-type":"Match","attributes":{"home":"AFC"}"#
            + #","content-state":{"goals":0}"#
    }

    private static func update(_ timestamp: Int, goals: Int, _ more: String = "") -> String {
        #""event":"update","timestamp":\#(timestamp),"content-state":{"goals":\#(goals)}\#(more)"#
    }

    private static func end(_ timestamp: Int, _ more: String = "") -> String {
        #""event":"end","timestamp":\#(timestamp)\#(more)"#
    }

    private static func started(_ aps: String = start) throws -> NotificationDevice {
        var device = try NotificationDevice()
        try push("start", aps, to: &device)
        return device
    }

    @discardableResult
    private static func push(
        _ id: NotificationID,
        _ aps: String,
        to device: inout NotificationDevice
    ) throws -> LiveActivityDecision {
        try device.deliver(id, aps, suffix: ".push-type.liveactivity", pushType: "liveactivity")
        return try #require(device.model.decision(on: id)?.liveActivity)
    }

    @Test(.proves("N42", "N43", "N44")) func activityIsStartedUpdatedAndEnded() throws {
        var device = try Self.started()
        #expect(device.model.liveActivities.map(\.state) == [.active])
        #expect(device.model.liveActivities.map(\.attributesType) == ["Match"])
        #expect(try Self.push("u", Self.update(200, goals: 1), to: &device).outcome == .updated)
        #expect(device.model.liveActivities.map(\.contentState["goals"]) == [.integer(1)])
        let ended = try Self.push("e", Self.end(300), to: &device)
        #expect((ended.outcome, ended.activity) == (.ended, "start"))
        #expect(device.model.liveActivities.map(\.state) == [.ended])
        #expect(device.model.liveActivities.map(\.contentState["goals"]) == [.integer(1)])
        #expect(device.model.notifications.isEmpty)
    }

    @Test(
        .proves("N45", "N46"),
        arguments: [
            (#""event":"other","timestamp":200"#, .event), (#""timestamp":200"#, .event),
            (#""event":"start","timestamp":200,"attributes":{},"content-state":{}"#, .event),
            (#""event":"start","timestamp":200,"attributes-type":"A","content-state":{}"#, .event),
            (#""event":"update","timestamp":200"#, .event), (update(99, goals: 2), .timestamp),
            (#""event":"update","content-state":{}"#, .timestamp),
        ] as [(String, NotificationGate)]
    )
    func unusableNotificationChangesNothingAndSaysWhy(_ aps: String, _ gate: NotificationGate) throws {
        var device = try Self.started()
        let former = device.model.liveActivities
        let decision = try Self.push("n", aps, to: &device)
        #expect((decision.outcome, decision.activity) == (.ignored, nil))
        #expect(NotificationDevice.failure(decision.gates) == [gate])
        #expect(device.model.liveActivities == former)
    }

    @Test(
        arguments: [
            (1_790_028_801, "8 hours ahead of the device's clock; a timestamp is Unix seconds"),
            (1_790_036_000, "10 hours ahead of the device's clock; a timestamp is Unix seconds"),
            (1_790_000_000_000, "this one is in milliseconds: in seconds it is 1790000000"),
            (Int.max, "this one is in milliseconds"),
        ]
    )
    func timestampFarAheadIsDroppedAndBlocksNothing(_ timestamp: Int, _ reason: String) throws {
        for aps in [Self.newActivity(timestamp), Self.update(timestamp, goals: 9), Self.end(timestamp)] {
            var device = try Self.started()
            let former = device.model.liveActivities
            let decision = try Self.push("ahead", aps, to: &device)
            #expect(decision.outcome == .ignored)
            #expect(NotificationDevice.failure(decision.gates) == [.timestamp])
            #expect(decision.explanation.contains(reason), "\(decision.explanation)")
            #expect(device.model.liveActivities == former)
            let next = try Self.push("next", Self.update(100, goals: 1), to: &device)
            #expect(next.outcome == .updated)
        }
    }

    @Test func timestampEightHoursAheadIsAccepted() throws {
        var device = try Self.started()
        let decision = try Self.push("u", Self.update(1_790_028_800, goals: 1), to: &device)
        #expect(decision.outcome == .updated)
        #expect(device.model.liveActivities.map(\.timestamp) == [1_790_028_800])
    }

    @Test func endIsAppliedWithAnOlderTimestamp() throws {
        var device = try Self.started()
        let decision = try Self.push("e", Self.end(99, #","content-state":{"goals":3}"#), to: &device)
        #expect(decision.outcome == .ended)
        let reason = "the timestamp 99 is older than the last one, 100, but an end is applied nevertheless"
        #expect(decision.gates.last?.explanation == reason)
        #expect(device.model.liveActivities.map(\.timestamp) == [100])
        #expect(device.model.liveActivities.map(\.contentState["goals"]) == [.integer(3)])
    }

    @Test(
        arguments: [
            (#""alert":{"title":"Goal","sound":"inner"}"#, "inner"),
            (#""alert":{"title":"Goal"},"sound":"outer""#, nil),
            (#""alert":{"title":"Goal","sound":"inner"},"sound":"outer""#, "inner"),
        ] as [(String, String?)]
    )
    func soundCountsOnlyInsideTheAlert(_ alert: String, _ sound: String?) throws {
        var device = try Self.started()
        try Self.push("u", Self.update(200, goals: 1, ",\(alert)"), to: &device)
        #expect(device.model.decision(on: "u")?.presentation == .immediate)
        #expect(device.model.decision(on: "u")?.sound?.name == sound)
    }

    @Test func newestOfTwoIsUpdatedAndATimestampMayRepeat() throws {
        var device = try Self.started()
        try Self.push("second", Self.start, to: &device)
        #expect(try Self.push("u", Self.update(100, goals: 5), to: &device).activity == "second")
        #expect(try Self.push("e", Self.end(100), to: &device).activity == "second")
        #expect(try Self.push("u2", Self.update(100, goals: 6), to: &device).activity == "start")
    }

    @Test func appHasAtMostFiveThatHaveNotEnded() throws {
        var device = try Self.started()
        for number in 2...5 { try Self.push(NotificationID(rawValue: "s\(number)"), Self.start, to: &device) }
        let sixth = try Self.push("s6", Self.start, to: &device)
        #expect(NotificationDevice.failure(sixth.gates) == [.activity])
        try Self.push("e", Self.end(200), to: &device)
        #expect(try Self.push("s7", Self.start, to: &device).outcome == .started)
    }

    @Test(arguments: ["9223372036854775807", "-9223372036854775808", "1790000000000", "1.5", "\"soon\""])
    func impossibleDateCountsAsAbsent(_ date: String) throws {
        var device = try Self.started()
        try Self.push("u", Self.update(200, goals: 1, #","stale-date":\#(date)"#), to: &device)
        #expect(device.model.liveActivities.map(\.staleDate) == [nil])
        try Self.push("e", Self.end(300, #","dismissal-date":\#(date)"#), to: &device)
        device.wait(4 * NotificationDevice.hour)
        #expect(device.model.liveActivities.isEmpty)
    }

    @Test func fewEndedOnesStay() throws {
        var device = try NotificationDevice()
        for number in 1...8 {
            try Self.push(NotificationID(rawValue: "s\(number)"), Self.start, to: &device)
            try Self.push(NotificationID(rawValue: "e\(number)"), Self.end(200), to: &device)
        }
        #expect(device.model.liveActivities.map(\.id) == ["s4", "s5", "s6", "s7", "s8"])
    }

    @Test(.proves("N44")) func nothingIsUpdatedThatWasNotStartedOrHasEnded() throws {
        var device = try NotificationDevice()
        let early = try Self.push("u1", Self.update(100, goals: 1), to: &device)
        #expect(NotificationDevice.failure(early.gates) == [.activity])
        try Self.push("s", Self.start, to: &device)
        try Self.push("e", Self.end(200), to: &device)
        let late = try Self.push("u2", Self.update(300, goals: 1), to: &device)
        #expect(NotificationDevice.failure(late.gates) == [.activity])
    }

    @Test(.proves("N47")) func activityIsStaleAtItsDateUntilAnUpdate() throws {
        var device = try Self.started()
        let date = device.now.seconds + 60
        try Self.push("u", Self.update(200, goals: 1, #","stale-date":\#(date)"#), to: &device)
        device.wait(59_000)
        #expect(device.model.liveActivities.map(\.state) == [.active])
        let effects = device.wait(1_000)
        #expect(device.model.liveActivities.map(\.state) == [.stale])
        #expect(effects == device.model.liveActivities.map { .notification(.liveActivityChanged($0)) })
        try Self.push("u2", Self.update(300, goals: 2), to: &device)
        #expect(device.model.liveActivities.map(\.state) == [.active])
    }

    @Test func activityIsStaleAtOnceIfItsDateHasPassed() throws {
        var device = try Self.started()
        let date = device.now.seconds - 1
        try Self.push("u", Self.update(200, goals: 1, #","stale-date":\#(date)"#), to: &device)
        #expect(device.model.liveActivities.map(\.state) == [.stale])
    }

    @Test(.proves("N48", "N49")) func activityEndsAfterEightHoursAndDisappearsFourHoursLater() throws {
        var device = try Self.started()
        device.wait(8 * NotificationDevice.hour - 1)
        #expect(device.model.liveActivities.map(\.state) == [.active])
        device.wait(1)
        #expect(device.model.liveActivities.map(\.state) == [.ended])
        device.wait(4 * NotificationDevice.hour - 1)
        #expect(device.model.liveActivities.map(\.state) == [.ended])
        device.wait(1)
        #expect(device.model.liveActivities.isEmpty)
    }

    @Test(.proves("N50"), arguments: [(60, 60), (-60, 0), (5 * 3_600, 4 * 3_600)])
    func dismissalDateDecidesWhenAnEndedActivityDisappears(_ date: Int, _ seconds: Int) throws {
        var device = try Self.started()
        let end = device.now
        try Self.push("e", Self.end(200, #","dismissal-date":\#(end.seconds + date)"#), to: &device)
        if seconds > 0 {
            device.wait(seconds * 1_000 - 1)
            #expect(device.model.liveActivities.map(\.state) == [.ended])
            device.wait(1)
        }
        #expect(device.model.liveActivities.isEmpty)
    }

    @Test func personRemovesAnActivity() throws {
        var device = try Self.started()
        let effects = device.apply(.notification(.liveActivityDismissed("start")))
        #expect(effects.count == 1)
        #expect(device.model.liveActivities.isEmpty)
        guard
            case .system(.eventIgnored(let ignored)) = device.apply(.notification(.liveActivityDismissed("start")))
                .first
        else {
            Issue.record("it was removed twice")
            return
        }
        #expect(ignored.reason == .unknownLiveActivity)
    }

    @Test func appHearsOfItsActivities() throws {
        let device = try Self.started()
        let activity = try #require(device.model.liveActivities.first)
        let effect = DeviceEffect.notification(.liveActivityChanged(activity))
        #expect(effect.appEvent(for: NotificationDevice.app) == .liveActivityChanged(activity))
        #expect(effect.appEvent(for: "com.example.other") == nil)
    }

    @Test(.proves("N51")) func alertOfAnUpdateIsDecidedLikeThatOfANotificationButIsNotListed() throws {
        var device = try Self.started()
        let alert = #","alert":{"title":{"loc-key":"%@!","loc-args":["Goal"]},"sound":"a"},"badge":7"#
        try Self.push("u", Self.update(200, goals: 1, alert), to: &device)
        #expect(device.model.decision(on: "u")?.presentation == .immediate)
        #expect(device.model.decision(on: "u")?.sound?.name == "a")
        #expect(device.model.decision(on: "u")?.badge == nil)
        try Self.push("late", Self.update(100, goals: 1, alert), to: &device)
        #expect(device.model.decision(on: "late")?.presentation == .nowhere)
        #expect(device.model.notifications.isEmpty)
        #expect(device.model.badge(of: NotificationDevice.app) == nil)
    }
}
