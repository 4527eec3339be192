import DeviceModel
import Testing
import WaypostSchema

/// Pushes to receivers other than the app's process: extensions, widgets, controls and complications.
@Suite struct PushReceiverTests {
    /// A receiver, a push that reaches it, and the call.
    struct Case: Sendable, CustomTestStringConvertible {
        var receiver: PushReceiver
        var suffix: String
        var pushType: PushType
        var payload: JSONValue = .object([:])
        var function: AppCall.Function
        var method: String
        var testDescription: String { receiver.rawValue }
    }

    private static let reload = JSONValue.object(["aps": .object(["content-changed": .bool(true)])])

    private static let extensions = [
        Case(
            receiver: .location,
            suffix: ".location-query",
            pushType: "location",
            function: .didReceiveLocationPush,
            method: "didReceiveLocationPushPayload(_:completion:)"
        ),
        Case(
            receiver: .fileProvider,
            suffix: ".pushkit.fileprovider",
            pushType: "fileprovider",
            payload: .object(["container-identifier": .string("balloons")]),
            function: .enumerateChanges,
            method: "enumerateChanges(for:from:)"
        ),
        Case(
            receiver: .widgets,
            suffix: ".push-type.widgets",
            pushType: "widgets",
            payload: reload,
            function: .reloadTimelines,
            method: "getTimeline(in:completion:)"
        ),
        Case(
            receiver: .controls,
            suffix: ".push-type.controls",
            pushType: "controls",
            payload: reload,
            function: .reloadControl,
            method: "currentValue()"
        ),
    ]

    private static let complication = Case(
        receiver: .complication,
        suffix: ".complication",
        pushType: "complication",
        function: .didReceiveIncomingPush,
        method: "pushRegistry(_:didReceiveIncomingPushWith:for:completion:)"
    )

    /// A device whose app has receivers, and the pushes to one of them.
    private struct Device {
        var device: NotificationDevice
        private var number = 0

        init(
            _ receivers: [PushReceiver]?,
            state: SceneState = .background,
            location: LocationAuthorization? = nil,
            budgets: PushBudgets? = nil,
            system: SystemVersion? = nil
        ) throws {
            let app = NotificationDevice.description(
                state: state,
                receivers: receivers,
                location: location,
                budgets: budgets
            )
            device = try NotificationDevice(app: app, system: system)
        }

        /// Sends the push of a case, perhaps with another payload; returns the effects and the decision.
        @discardableResult
        mutating func send(
            _ example: Case,
            payload: JSONValue? = nil
        ) -> (effects: [DeviceEffect], decision: LaunchDecision?) {
            number += 1
            let id = NotificationID(rawValue: "n\(number)")
            let effects = device.deliver(
                id,
                payload: payload ?? example.payload,
                suffix: example.suffix,
                pushType: example.pushType
            )
            return (effects, device.model.decision(on: id)?.launch)
        }

        var calls: [String: Int] { device.model.receiverCalls(of: NotificationDevice.app) }
    }

    private static func calls(in effects: [DeviceEffect]) -> [AppCall] {
        effects.compactMap { if case .notification(.appCalled(_, let call)) = $0 { call } else { nil } }
    }

    @Test(arguments: extensions) func pushCallsTheExtensionAndNotTheApp(_ example: Case) throws {
        var device = try Device([example.receiver])
        var process = AppProcess(of: NotificationDevice.app)
        _ = process.newEvents(on: device.device.model)
        let result = device.send(example)
        let calls = Self.calls(in: result.effects)
        #expect(calls.map(\.function) == [example.function])
        #expect(calls.map(\.method) == [example.method])
        #expect(calls.map(\.pushType) == [example.pushType])
        let decision = try #require(result.decision)
        #expect((decision.outcome, decision.receiver) == (.launched, example.receiver))
        #expect(decision.gates.first?.gate == .receiver)
        #expect(device.calls == [example.receiver.rawValue: 1])
        let events = process.newEvents(on: device.device.model)
        #expect(events.isEmpty)
        #expect(device.device.calls.isEmpty)
        #expect(device.device.model.notifications.isEmpty)
    }

    @Test(arguments: extensions + [complication])
    func pushForAnAppWithoutTheReceiverIsDiscarded(_ example: Case) throws {
        let others = PushReceiver.allCases.filter { $0 != example.receiver }
        let topic = Topic(rawValue: NotificationDevice.app.rawValue + example.suffix)
        for receivers in [nil, others] {
            var device = try Device(receivers)
            let result = device.send(example)
            #expect(result.effects == [.notification(.notificationDiscarded("n1", topic))])
            #expect(!device.device.model.topics.contains(topic))
            #expect(device.calls.isEmpty)
        }
        let device = try Device([example.receiver])
        #expect(device.device.model.topics.contains(topic))
    }

    @Test(
        arguments: [
            (.background, .launched), (.foregroundActive, .delivered),
        ] as [(SceneState, LaunchDecision.Outcome)]
    )
    func complicationPushCallsTheApp(_ state: SceneState, _ outcome: LaunchDecision.Outcome) throws {
        var device = try Device([.complication], state: state)
        var process = AppProcess(of: NotificationDevice.app)
        _ = process.newEvents(on: device.device.model)
        let result = device.send(Self.complication)
        #expect(result.decision?.outcome == outcome)
        let methods = process.newEvents(on: device.device.model)
            .compactMap { if case .called(let call) = $0 { call.method } else { nil } }
        #expect(methods == [Self.complication.method])
        #expect(device.calls == ["complication": 1])
    }

    @Test(arguments: [(complication, 50), (extensions[0], 360)] as [(Case, Int)])
    func budgetOfADayIsDocumented(_ example: Case, _ count: Int) throws {
        var device = try Device([example.receiver])
        for _ in 1...count { device.send(example) }
        #expect(device.calls == [example.receiver.rawValue: count])
        let dropped = try #require(device.send(example).decision)
        #expect(dropped.outcome == .dropped)
        #expect(NotificationDevice.failure(dropped.gates) == [.budget])
        for part in ["\(count) of \(count) pushes for \(example.receiver.rawValue) in the last 24 hours", "(Apple: "] {
            #expect(dropped.explanation.contains(part), "\(dropped.explanation)")
        }
        #expect(device.calls == [example.receiver.rawValue: count])
        device.device.wait(24 * NotificationDevice.hour)
        let next = device.send(example)
        #expect(next.decision?.outcome == .launched)
    }

    @Test(arguments: extensions + [complication])
    func budgetOfTheDescriptionIsUsed(_ example: Case) throws {
        let budget = PushBudget(count: 2, hours: 1)
        let budgets: PushBudgets =
            switch example.receiver {
            case .location: PushBudgets(location: budget)
            case .fileProvider: PushBudgets(fileProvider: budget)
            case .complication: PushBudgets(complication: budget)
            case .widgets: PushBudgets(widgets: budget)
            case .controls: PushBudgets(controls: budget)
            }
        var device = try Device(PushReceiver.allCases, budgets: budgets)
        let outcomes = (1...3).map { _ in device.send(example).decision?.outcome }
        #expect(outcomes == [.launched, .launched, .dropped])
        let dropped = try #require(device.send(example).decision)
        #expect(dropped.explanation.hasSuffix("(budgets.\(example.receiver.rawValue) of the app)"))
    }

    @Test(arguments: extensions.dropFirst())
    func receiverWithoutADocumentedNumberHasNoBudget(_ example: Case) throws {
        var device = try Device([example.receiver])
        for _ in 1...400 { device.send(example) }
        #expect(device.calls == [example.receiver.rawValue: 400])
        let last = try #require(device.send(example).decision)
        #expect(!last.gates.contains { $0.gate == .budget })
    }

    @Test func budgetsOfReceiversAreIndependent() throws {
        let budget = PushBudget(count: 1, hours: 1)
        var device = try Device(PushReceiver.allCases, budgets: PushBudgets(widgets: budget, controls: budget))
        device.send(Self.extensions[2])
        let control = device.send(Self.extensions[3])
        #expect(control.decision?.outcome == .launched)
        #expect(device.calls == ["widgets": 1, "controls": 1])
    }

    @Test(arguments: LocationAuthorization.allCases)
    func locationPushNeedsTheLocationAlways(_ authorization: LocationAuthorization) throws {
        var device = try Device([.location], location: authorization)
        let decision = try #require(device.send(Self.extensions[0]).decision)
        let isAllowed = authorization == .authorizedAlways
        #expect(decision.outcome == (isAllowed ? .launched : .dropped))
        #expect(NotificationDevice.failure(decision.gates) == (isAllowed ? [] : [.locationAuthorization]))
        #expect(device.calls == (isAllowed ? ["location": 1] : [:]))
    }

    @Test(
        arguments: [
            (extensions[1], .object(["aps": .object(["container-identifier": .string("balloons")])])),
            (extensions[1], .object(["container-identifier": .integer(1)])),
            (extensions[2], .object([:])),
            (extensions[2], .object(["content-changed": .bool(true)])),
            (extensions[2], .object(["aps": .object(["content-changed": .bool(false)])])),
            (extensions[3], .object(["aps": .object(["content-changed": .integer(1)])])),
        ] as [(Case, JSONValue)]
    )
    func payloadWithoutWhatTheReceiverNeedsCallsNothing(_ example: Case, _ payload: JSONValue) throws {
        var device = try Device([example.receiver])
        let result = device.send(example, payload: payload)
        #expect(result.effects.isEmpty)
        #expect(NotificationDevice.failure(result.decision?.gates) == [.content])
        #expect(device.calls.isEmpty)
    }

    @Test(
        arguments: [
            (extensions[2], "18.6", "26"), (extensions[2], "26.0", nil), (extensions[2], nil, nil),
            (extensions[3], "17.7.2", "18"), (extensions[3], "18", nil), (extensions[0], "9", nil),
            (extensions[1], "9", nil), (complication, "9", nil),
        ] as [(Case, SystemVersion?, SystemVersion?)]
    )
    func receiverNeedsANewEnoughSystem(_ example: Case, _ system: SystemVersion?, needs needed: SystemVersion?) throws {
        var device = try Device([example.receiver], system: system)
        let decision = try #require(device.send(example).decision)
        #expect(NotificationDevice.failure(decision.gates) == (needed == nil ? [] : [.system]))
        #expect((decision.outcome == .dropped) == (needed != nil))
        guard let needed, let system else { return }
        let sentence = "needs iOS \(needed); this device has iOS \(system) (Apple: "
        #expect(decision.explanation.contains(sentence), "\(decision.explanation)")
        #expect(device.calls.isEmpty)
    }

    @Test func callsAreForgottenWithTheApp() throws {
        var device = try Device([.widgets], budgets: PushBudgets(widgets: PushBudget(count: 1, hours: 1)))
        device.send(Self.extensions[2])
        let description = try #require(device.device.model.app(NotificationDevice.app))
        device.device.apply(.system(.appInstalled(description)))
        #expect(device.calls == ["widgets": 1])
        device.device.apply(.system(.appRemoved(NotificationDevice.app)))
        device.device.apply(.system(.appInstalled(description)))
        #expect(device.calls.isEmpty)
        let result = device.send(Self.extensions[2])
        #expect(result.decision?.outcome == .launched)
    }
}
