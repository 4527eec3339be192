import Attribution
import DeviceModel
import Testing
import WaypostSchema
import WaypostTestSupport

/// The notifications as the user sees them: groups, the summary, and replacements.
@Suite struct NotificationCenterTests {
    private static func alert(_ more: String) -> String {
        #""alert":"A"\#(more)"#
    }

    @Test(.proves("N5")) func notificationsOfAThreadAreAGroupAndTheNewestGroupIsFirst() throws {
        var device = try NotificationDevice()
        try device.deliver("n1", Self.alert(#","thread-id":"a""#))
        try device.deliver("n2", Self.alert(""))
        try device.deliver("n3", Self.alert(#","thread-id":"b""#))
        try device.deliver("n4", Self.alert(#","thread-id":"a""#))
        #expect(device.model.decision(on: "n1")?.grouping == "it is in the group 'a' of com.example.tv")
        #expect(device.model.decision(on: "n2")?.grouping?.contains("has no thread-id") == true)
        let groups = device.model.notificationCenter.groups
        #expect(groups.map(\.threadIdentifier) == ["a", "b", nil])
        #expect(groups.map { $0.notifications.map(\.id) } == [["n4", "n1"], ["n3"], ["n2"]])
    }

    @Test(.proves("N6")) func summaryBeginsWithTheHighestScore() throws {
        let settings = NotificationSettings(scheduledDeliverySetting: true)
        var device = try NotificationDevice(app: NotificationDevice.description(settings: settings))
        for (id, score) in [("n1", ""), ("n2", "0.2"), ("n3", "0.9"), ("n4", "0.2"), ("n5", "2")] {
            let member = score.isEmpty ? "" : #","relevance-score":\#(score)"#
            try device.deliver(NotificationID(rawValue: id), Self.alert(member))
        }
        try device.deliver("urgent", Self.alert(#","interruption-level":"time-sensitive""#))
        #expect(device.model.decision(on: "n3")?.grouping == "its relevance-score in the summary is 0.9")
        let center = device.model.notificationCenter
        #expect(center.summary.map(\.id) == ["n5", "n3", "n4", "n2", "n1"])
        #expect(center.groups.flatMap(\.notifications).map(\.id) == ["urgent"])
    }

    @Test(arguments: [(false, ["n1", "n2", "n3", "n4"]), (true, ["n3", "n4"])] as [(Bool, [NotificationID])])
    func badgeOfZeroClearsOlderNotificationsIfTheDeviceSaysSo(_ isOn: Bool, _ remaining: [NotificationID]) throws {
        var device = try NotificationDevice()
        device.apply(.setting(.badgeZeroClearsSet(isOn: isOn)))
        #expect(device.model.description.badgeZeroClears == (isOn ? true : nil))
        try device.deliver("n1", Self.alert(#","badge":2"#))
        try device.deliver("n2", Self.alert(""))
        try device.deliver("n3", Self.alert(#","badge":0"#))
        #expect(device.model.badge(of: NotificationDevice.app) == nil)
        try device.deliver("n4", Self.alert(#","badge":1"#))
        #expect(device.model.notifications.map(\.id) == remaining)
    }

    @Test func badgeOfZeroKeepsWhatWaitsForTheExtension() throws {
        let app = NotificationDevice.description(hasExtension: true)
        let description = DeviceDescription(name: "iPad", apps: [app], badgeZeroClears: true)
        var device = try NotificationDevice(app: app)
        device.apply(.system(.deviceDescribed(description)))
        try device.deliver("n1", Self.alert(""))
        try device.deliver("n2", Self.alert(#","mutable-content":1"#))
        try device.deliver("n3", #""badge":0"#)
        #expect(device.model.notifications.map(\.id) == ["n2", "n3"])
        device.finish(AppCallResult())
        #expect(device.model.notifications.map(\.presentation) == [.immediate, .nowhere])
    }

    @Test func lockScreenHasTheNewestOfEachGroup() throws {
        var device = try NotificationDevice()
        try device.deliver("n1", #""alert":{"title":"First","body":"1"},"thread-id":"a""#)
        try device.deliver("n2", #""alert":{"title":"Second","body":"2"},"thread-id":"a""#)
        try device.deliver("n3", #""alert":{"title":"Third","body":"3"}"#)
        let cards = device.model.lockScreen(at: device.now).cards
        #expect(cards.map(\.title) == ["Third", "Second"])
        #expect(cards.map(\.more) == [nil, "1 more"])
    }

    @Test func explanationsOfPushesThatTheUserNeverSeesAreFew() throws {
        var device = try NotificationDevice()
        for number in 1...101 {
            try device.deliver(NotificationID(rawValue: "n\(number)"), "", suffix: ".voip", pushType: "voip")
        }
        #expect(device.model.decision(on: "n1") == nil)
        #expect(device.model.decision(on: "n2") != nil)
        #expect(try device.deliver("n1", "", suffix: ".voip") == [.notification(.repetitionIgnored("n1"))])
    }

    @Test func whatAppearsNowhereIsNotShown() throws {
        var device = try NotificationDevice()
        try device.deliver("n", #""content-available":1"#)
        #expect(device.model.decision(on: "n")?.grouping == nil)
        #expect(device.model.notificationCenter == NotificationList(groups: [], summary: []))
        #expect(device.model.notifications.map(\.id) == ["n"])
    }

    @Test(.proves("N7")) func notificationReplacesTheOneWithItsCollapseIdentifier() throws {
        var device = try NotificationDevice()
        try device.deliver("n1", Self.alert(""), collapseID: "score")
        try device.deliver("n2", Self.alert(""))
        let effects = try device.deliver("n3", Self.alert(""), collapseID: "score")
        #expect(device.model.notifications.map(\.id) == ["n2", "n3"])
        guard case .notification(.notificationPosted(let shown)) = effects.first else {
            Issue.record("\(effects)")
            return
        }
        #expect(shown.replaced == "n1")
        #expect(
            try device.deliver("n1", Self.alert(""), collapseID: "score") == [.notification(.repetitionIgnored("n1"))]
        )
    }

    @Test(.proves("N8")) func nameOfTheLaunchImageIsKept() throws {
        var device = try NotificationDevice()
        try device.deliver("n", #""alert":{"body":"A","launch-image":"Lasso"}"#)
        #expect(device.model.notifications.map(\.launchImageName) == ["Lasso"])
    }
}
