import DeviceModel
import Testing
import WaypostSchema

@testable import DeviceAgent

/// The steps with which the tokens of a device's apps are registered.
@Suite struct TokenRegistrationsTests {
    private static let app: BundleIdentifier = "com.example.tv"
    private static let voip = TokenPurpose(.voip, of: app)
    private static let alerts = TokenPurpose(.app, of: app)

    private var device: DeviceModel
    private var registrations = TokenRegistrations(secret: "s")

    init() throws {
        let app = AppDescription(bundleIdentifier: Self.app, scenes: [], environment: .sandbox, tokens: [.app, .voip])
        device = try DeviceModel(DeviceDescription(name: "iPad", apps: [app], environment: .production))
    }

    private mutating func apply(_ event: DeviceEvent) {
        _ = device.apply(event, at: Timestamp(milliseconds: 1))
    }

    /// Registers everything, with the kinds as tokens.
    ///
    /// - Returns: the purposes, in order.
    @discardableResult
    private mutating func registerAll() -> [TokenPurpose] {
        var purposes: [TokenPurpose] = []
        while case .register(let report) = registrations.nextStep(for: device, secret: "s") {
            let purpose = report.token.purpose
            let token = report.token.token ?? DeviceToken(rawValue: purpose.kind.rawValue)
            if report.token.token == nil { apply(.token(.tokenAssigned(purpose, token))) }
            registrations.record(report, as: token)
            purposes.append(purpose)
        }
        return purposes
    }

    @Test mutating func requestedTokenJoinsTheAgentOfTheDevice() throws {
        guard case .register(let report) = registrations.nextStep(for: device, secret: "s") else {
            Issue.record("nothing is registered")
            return
        }
        let expected = DeviceRegistration(
            name: "iPad",
            topics: ["com.example.tv"],
            secret: "s",
            environment: .sandbox,
            purpose: Self.alerts
        )
        #expect(report.registration(with: "s") == expected)
    }

    @Test mutating func onlyWhatChangedIsRegisteredAgain() {
        #expect(device.tokens.current.count == 2)
        let first = registerAll()
        #expect(first == [Self.alerts, Self.voip])
        let second = registerAll()
        #expect(second.isEmpty)
        apply(.setting(.lowPowerModeSet(isOn: true)))
        let third = registerAll()
        #expect(third == [Self.alerts, Self.voip])
        apply(.token(.tokenInvalidated("voip")))
        let unregistered = registrations.nextStep(for: device, secret: "s")
        #expect(unregistered == .unregister("voip"))
        registrations.recordEnd(of: "voip")
        apply(.token(.tokenInvalidated("voip")))
        let fourth = registerAll()
        #expect(fourth == [Self.voip])
    }

    @Test mutating func tokensOfARemovedAppAreUnregistered() {
        registerAll()
        apply(.system(.appRemoved(Self.app)))
        for token in ["app", "voip"] as [DeviceToken] {
            let step = registrations.nextStep(for: device, secret: "s")
            #expect(step == .unregister(token))
            registrations.recordEnd(of: token)
            apply(.token(.tokenInvalidated(token)))
        }
        let last = registrations.nextStep(for: device, secret: "s")
        #expect(last == nil)
    }

    @Test mutating func earlierStartTokenIsUnregisteredLater() throws {
        let pushToStart = TokenPurpose(.pushToStart, of: Self.app)
        let app = AppDescription(
            bundleIdentifier: Self.app,
            scenes: [],
            supportsLiveActivities: true,
            liveActivities: LiveActivitySettings(),
            tokens: [.pushToStart]
        )
        device = try DeviceModel(DeviceDescription(name: "iPad", apps: [app]))
        registerAll()
        let start: [String: JSONValue] = [
            "event": .string("start"), "timestamp": .integer(0), "attributes-type": .string("Match"),
            "attributes": .object([:]), "content-state": .object([:]),
        ]
        let notification = DeliveredNotification(
            sequence: 1,
            id: "a",
            token: "pushToStart",
            topic: "com.example.tv.push-type.liveactivity",
            pushType: "liveactivity",
            priority: 10,
            payload: .object(["aps": .object(start)])
        )
        apply(.notification(.notificationDelivered(notification)))
        guard case .register(let report) = registrations.nextStep(for: device, secret: "s") else {
            Issue.record("no other token is requested")
            return
        }
        #expect(report.token == AppToken(for: pushToStart))
        apply(.token(.tokenAssigned(pushToStart, "next")))
        registrations.record(report, as: "next")
        // The app always has a token for the topic.
        let step = registrations.nextStep(for: device, secret: "s")
        #expect(step == .unregisterLater("pushToStart"))
        registrations.recordEnd(of: "pushToStart")
        apply(.token(.tokenInvalidated("pushToStart")))
        let last = registrations.nextStep(for: device, secret: "s")
        #expect(last == nil)
    }

    @Test mutating func tokensOfAnAgentThatTheGatewayForgotAreInvalid() {
        registerAll()
        let step = registrations.nextStep(for: device, secret: "t")
        #expect(step == .invalidate(["app", "voip"]))
        for token in ["app", "voip"] as [DeviceToken] { apply(.token(.tokenInvalidated(token))) }
        let next = registrations.nextStep(for: device, secret: "t")
        #expect(next == .unregister("app"))
    }

    @Test func newAgentHasNothingToInvalidate() {
        var registrations = TokenRegistrations(secret: nil)
        guard case .register = registrations.nextStep(for: device, secret: "s") else {
            Issue.record("nothing is registered")
            return
        }
    }

    @Test mutating func refusedStepIsRepeatedAfterADisconnection() throws {
        let step = registrations.nextStep(for: device, secret: "s")
        let refused = try #require(step)
        registrations.recordRefusal(of: refused)
        let others = registerAll()
        #expect(others == [Self.voip])
        registrations.forgetRefusals()
        let repeated = registrations.nextStep(for: device, secret: "s")
        #expect(repeated == refused)
    }

    /// The agent may have ended before the answer, so a request without a token is possibly a second one.
    @Test func requestsBeforeTheStartMayHaveLostTheirAnswers() {
        let request = TokenReport(AppToken(for: Self.voip), of: device)
        let restarted = TokenRegistrations(secret: "s", requests: [request])
        #expect(restarted.lostReport(for: Self.voip) == request)
        #expect(restarted.lostReport(for: Self.alerts) == nil)
        let new = TokenRegistrations(secret: nil, requests: [request])
        #expect(new.lostReport(for: Self.voip) == nil)
    }

    @Test mutating func lostTokenOfARemovedAppIsUnregistered() throws {
        let next = registrations.nextStep(for: device, secret: "s")
        registrations.recordLostAnswer(to: try #require(next))
        apply(.system(.appRemoved(Self.app)))
        let search = registrations.nextStep(for: device, secret: "s")
        guard case .unregisterLost(let report) = search else {
            Issue.record("\(search as Any)")
            return
        }
        #expect(report.token == AppToken(for: Self.alerts))
        registrations.recordEnd(ofLost: report)
        let last = registrations.nextStep(for: device, secret: "s")
        #expect(last == nil)
    }

    /// The gateway registered the token with the name of the first attempt.
    @Test(arguments: [false, true]) mutating func lostTokenOfARenamedDeviceHasItsEarlierName(isRemoved: Bool) throws {
        let next = registrations.nextStep(for: device, secret: "s")
        registrations.recordLostAnswer(to: try #require(next))
        apply(.system(.deviceRenamed("Ava's iPad")))
        let repeated = registrations.nextStep(for: device, secret: "s")
        registrations.recordLostAnswer(to: try #require(repeated))
        #expect(registrations.lostReport(for: Self.alerts)?.deviceName == "iPad")
        guard isRemoved else { return }
        apply(.system(.appRemoved(Self.app)))
        let search = registrations.nextStep(for: device, secret: "s")
        guard case .unregisterLost(let report) = search else {
            Issue.record("\(search as Any)")
            return
        }
        #expect(report.deviceName == "iPad")
    }

    @Test mutating func lostAnswerCountsUntilTheTokenIsRegistered() throws {
        let next = registrations.nextStep(for: device, secret: "s")
        let step = try #require(next)
        registrations.recordLostAnswer(to: step)
        registrations.recordLostAnswer(to: .unregister("voip"))
        #expect(registrations.lostReport(for: Self.alerts) != nil)
        #expect(registrations.lostReport(for: Self.voip) == nil)
        registerAll()
        #expect(registrations.lostReport(for: Self.alerts) == nil)
        // A token that the device has is registered again with it, and so cannot be lost.
        apply(.setting(.lowPowerModeSet(isOn: true)))
        let changed = registrations.nextStep(for: device, secret: "s")
        registrations.recordLostAnswer(to: try #require(changed))
        #expect(registrations.lostReport(for: Self.alerts) == nil)
    }
}
