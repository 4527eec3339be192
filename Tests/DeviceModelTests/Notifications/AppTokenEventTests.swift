import DeviceModel
import Testing
import WaypostSchema

/// The tokens that a process of an app receives.
@Suite struct AppTokenEventTests {
    private static let app: BundleIdentifier = "com.example.tv"
    private static let voip = TokenPurpose(.voip, of: app)
    private static let alerts = TokenPurpose(.app, of: app)
    private static let didUpdate = "pushRegistry(_:didUpdate:for:)"
    private static let didRegister = "application(_:didRegisterForRemoteNotificationsWithDeviceToken:)"

    private var device: DeviceModel

    init() throws {
        let app = AppDescription(bundleIdentifier: Self.app, scenes: [], tokens: [.app, .voip])
        let other = AppDescription(bundleIdentifier: "com.example.other", scenes: [], tokens: [.app])
        device = try DeviceModel(DeviceDescription(name: "iPad", apps: [app, other]))
        device.go(through: .token(.tokenAssigned(TokenPurpose(.app, of: "com.example.other"), "o")))
    }

    @Test mutating func processReceivesEachTokenOnce() {
        var process = AppProcess(of: Self.app)
        let before = process.newEvents(on: device)
        #expect(before.isEmpty)
        device.go(through: .token(.tokenAssigned(Self.voip, "v")))
        let first = process.newEvents(on: device)
        #expect(first == [.tokenChanged(Self.voip, "v", method: Self.didUpdate)])
        device.go(through: .token(.tokenAssigned(Self.alerts, "a")))
        let second = process.newEvents(on: device)
        #expect(second == [.tokenChanged(Self.alerts, "a", method: Self.didRegister)])
        let third = process.newEvents(on: device)
        #expect(third.isEmpty)
    }

    @Test mutating func nextProcessReceivesTheTokensAgain() {
        device.go(through: .token(.tokenAssigned(Self.voip, "v")), .token(.tokenAssigned(Self.alerts, "a")))
        for _ in 0..<2 {
            var process = AppProcess(of: Self.app)
            let events = process.newEvents(on: device)
            #expect(
                events == [
                    .tokenChanged(Self.alerts, "a", method: Self.didRegister),
                    .tokenChanged(Self.voip, "v", method: Self.didUpdate),
                ]
            )
        }
        var serviceExtension = AppProcess(of: Self.app, as: .serviceExtension)
        let events = serviceExtension.newEvents(on: device)
        #expect(events.isEmpty)
    }

    @Test mutating func processLearnsThatATokenIsInvalidAndReceivesTheNextOne() {
        var process = AppProcess(of: Self.app)
        device.go(through: .token(.tokenAssigned(Self.voip, "v")), .token(.tokenAssigned(Self.alerts, "a")))
        _ = process.newEvents(on: device)
        device.go(through: .token(.tokenInvalidated("v")), .token(.tokenReleased(Self.alerts)))
        let lost = process.newEvents(on: device)
        #expect(
            lost == [
                .tokenChanged(Self.alerts, nil, method: nil),
                .tokenChanged(Self.voip, nil, method: "pushRegistry(_:didInvalidatePushTokenFor:)"),
            ]
        )
        device.go(through: .token(.tokenAssigned(Self.voip, "w")))
        let next = process.newEvents(on: device)
        #expect(next == [.tokenChanged(Self.voip, "w", method: Self.didUpdate)])
    }

    @Test(
        arguments: [
            (.fileProvider, didUpdate), (.complication, didUpdate),
            (.location, "startMonitoringLocationPushes(completion:)"), (.pushToStart, "pushToStartTokenUpdates"),
            (.widgets, "pushTokenDidChange(_:widgets:)"),
        ] as [(TokenPurpose.Kind, String)]
    )
    func eventNamesTheCallOfItsKind(_ kind: TokenPurpose.Kind, _ method: String) throws {
        let app = AppDescription(bundleIdentifier: Self.app, scenes: [], tokens: [kind])
        var device = try DeviceModel(DeviceDescription(name: "iPad", apps: [app]))
        device.go(through: .token(.tokenAssigned(TokenPurpose(kind, of: Self.app), "t")))
        var process = AppProcess(of: Self.app)
        let events = process.newEvents(on: device)
        #expect(events.map(\.method) == [method])
    }

    @Test(
        arguments: [
            (.control, "pushTokensDidChange(controls:)"),
            (.pushToTalk, "channelManager(_:receivedEphemeralPushToken:)"),
        ] as [(TokenPurpose.Kind, String)]
    )
    func eventOfATokenWithANameNamesTheCallOfItsKind(_ kind: TokenPurpose.Kind, _ method: String) throws {
        let purpose = TokenPurpose(kind, of: Self.app, name: "honk")
        let app = AppDescription(bundleIdentifier: Self.app, scenes: [], tokens: [kind])
        var device = try DeviceModel(DeviceDescription(name: "iPad", apps: [app]))
        device.go(through: .token(.tokenRequested(purpose)), .token(.tokenAssigned(purpose, "t")))
        var process = AppProcess(of: Self.app)
        let events = process.newEvents(on: device)
        #expect(events == [.tokenChanged(purpose, "t", method: method)])
    }
}
