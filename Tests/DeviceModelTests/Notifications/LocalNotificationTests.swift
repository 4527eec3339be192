import DeviceModel
import Testing
import WaypostSchema

/// Notifications that an app requests for itself.
@Suite struct LocalNotificationTests {
    private static func request(
        _ id: NotificationID,
        _ aps: String,
        identifier: String = "bread",
        sender: CommunicationSender? = nil,
        app: BundleIdentifier = NotificationDevice.app
    ) throws -> DeviceEvent {
        let request = LocalNotificationRequest(
            identifier: identifier,
            payload: try NotificationDevice.payload(aps),
            communication: sender.map { Communication(sender: $0) }
        )
        return .notification(.localNotificationRequested(app, id: id, request))
    }

    @Test func localNotificationPassesTheSameGatesAndIsListed() throws {
        var device = try NotificationDevice(focus: Focus(name: "Work"))
        device.apply(try Self.request("l1", #""alert":"A","sound":"default""#))
        device.apply(.setting(.focusSet(nil)))
        let effects = device.apply(try Self.request("l2", #""alert":"B","badge":2"#, identifier: "other"))
        #expect(device.model.notifications.map(\.id) == ["l1", "l2"])
        #expect(device.model.notifications.map(\.isLocal) == [true, true])
        #expect(device.model.notifications.map(\.presentation) == [.list, .immediate])
        let last = try #require(device.model.notifications.last)
        #expect(effects == [.notification(.notificationPosted(last))])
        let decision = try #require(device.model.decision(on: "l1"))
        #expect(NotificationDevice.failure(decision.gates) == [.focus, .sound])
        #expect(decision.findings == nil)
        #expect(device.model.badge(of: NotificationDevice.app) == 2)
    }

    @Test func equalIdentifierReplacesAlsoAPush() throws {
        var device = try NotificationDevice()
        device.apply(try Self.request("l1", #""alert":"A""#))
        device.apply(try Self.request("l2", #""alert":"B""#))
        #expect(device.model.notifications.map(\.id) == ["l2"])
        #expect(device.model.notifications.first?.replaced == "l1")
        try device.deliver("n1", #""alert":"C""#, collapseID: "bread")
        #expect(device.model.notifications.map(\.id) == ["n1"])
        #expect(device.model.notifications.first?.isLocal == nil)
        device.apply(try Self.request("l3", #""alert":"D""#))
        #expect(device.model.notifications.map(\.id) == ["l3"])
        device.apply(try Self.request("l4", #""alert":"E""#, identifier: "other"))
        #expect(device.model.notifications.map(\.id) == ["l3", "l4"])
    }

    @Test func neitherServiceExtensionNorBackgroundLaunchFollows() throws {
        var device = try NotificationDevice(app: NotificationDevice.description(hasExtension: true))
        device.apply(try Self.request("l", #""alert":"A","mutable-content":1,"content-available":1"#))
        #expect(device.calls.isEmpty)
        let decision = try #require(device.model.decision(on: "l"))
        #expect(decision.presentation == .immediate)
        #expect(decision.launch == nil)
        let verdict = decision.gates.first { $0.gate == .serviceExtension }
        #expect(
            verdict?.explanation
                == "com.example.tv requested the notification itself, so no service extension is started"
        )
    }

    @Test func appInTheForegroundIsAsked() throws {
        var device = try NotificationDevice(app: NotificationDevice.description(state: .foregroundActive))
        device.apply(try Self.request("l", #""alert":"A""#))
        #expect(device.calls == [.willPresent])
        device.finish(AppCallResult(presentationOptions: [.banner]))
        #expect(device.model.notifications.map(\.presentation) == [.immediate])
    }

    @Test func appMayNameTheSender() throws {
        let focus = Focus(name: "Work", allowedPeople: ["anna@balloons.example"])
        var device = try NotificationDevice(focus: focus)
        device.apply(try Self.request("l1", #""alert":"A""#))
        let verdict = device.model.decision(on: "l1")?.gates.first { $0.gate == .communication }
        #expect(verdict?.explanation == "com.example.tv requested the notification itself, and named no sender")
        let anna = CommunicationSender(name: "Anna", handle: "anna@balloons.example")
        device.apply(try Self.request("l2", #""alert":"B""#, sender: anna))
        #expect(device.model.notifications.map(\.title) == ["Anna"])
        #expect(device.model.notifications.map(\.presentation) == [.immediate])
    }

    @Test func repetitionAndUnknownAppChangeNothing() throws {
        var device = try NotificationDevice()
        device.apply(try Self.request("l", #""alert":"A""#))
        let repeated = device.apply(try Self.request("l", #""alert":"B""#))
        #expect(repeated == [.notification(.repetitionIgnored("l"))])
        let unknown = device.apply(try Self.request("m", #""alert":"A""#, app: "com.example.none"))
        guard case .system(.eventIgnored(let ignored))? = unknown.first else {
            _ = Issue.record("\(unknown)")
            return
        }
        #expect(ignored.reason == .unknownApp)
        #expect(device.model.notifications.map(\.title) == ["A"])
    }
}
