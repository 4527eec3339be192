package import WaypostSchema

/// The calls of the system for a cause, in their order.
///
///     let link = CallbackSequence(for: .universalLink, in: .notRunning, of: AppImplementation(lifeCycle: .uiScene))
///
/// The rules are in three tables: `StateRule` has the calls of the life cycle, `CauseRule` the calls with the event,
/// and `ReplacedMethod` the methods that the scene life cycle replaces. docs/callbacks.md is made from them.
package struct CallbackSequence: Sendable, Equatable {
    /// The current major version of iOS.
    package static let currentSystem = 27

    /// The result of a question.
    package enum Outcome: Sendable, Equatable {
        /// These calls, and those that engineers expect in vain.
        case calls([CallbackStep], notCalled: [AbsentCall])

        /// The cause cannot occur in the state, for this reason.
        case cannotHappen(String)
    }

    /// The app.
    package let app: AppImplementation

    /// The cause.
    package let cause: EventCause

    /// The state before the cause.
    package let state: InitialState

    /// The major version of iOS.
    package let system: Int

    /// The calls.
    package let outcome: Outcome

    /// The app with its declarations; `nil` if only its methods were given.
    let description: AppDescription?

    /// Determines the calls.
    ///
    /// - Parameters:
    ///   - cause: the cause.
    ///   - state: the state before it.
    ///   - app: the app, with what it implements.
    ///   - system: the major version of iOS.
    package init(
        for cause: EventCause,
        in state: InitialState,
        of app: AppImplementation,
        system: Int = Self.currentSystem
    ) {
        self.init(for: cause, in: state, of: app, description: nil, system: system)
    }

    /// Determines the calls of an app as a device has it, whose declarations may have mistakes too.
    ///
    /// - Parameters:
    ///   - cause: the cause.
    ///   - state: the state before it.
    ///   - description: the app; `nil` if it is unknown.
    ///   - system: the major version of iOS.
    package init(
        for cause: EventCause,
        in state: InitialState,
        of description: AppDescription?,
        system: Int = Self.currentSystem
    ) {
        let app = description?.implementation ?? AppImplementation()
        self.init(for: cause, in: state, of: app, description: description, system: system)
    }

    private init(
        for cause: EventCause,
        in state: InitialState,
        of app: AppImplementation,
        description: AppDescription?,
        system: Int
    ) {
        self.app = app
        self.cause = cause
        self.state = state
        self.system = system
        self.description = description
        outcome = CallbackQuery(app: app, cause: cause, state: state, system: system).outcome
    }

    /// The calls; empty if the cause cannot occur.
    package var steps: [CallbackStep] {
        if case .calls(let steps, _) = outcome { steps } else { [] }
    }

    /// The calls that engineers expect and the system does not make.
    package var notCalled: [AbsentCall] {
        if case .calls(_, let notCalled) = outcome { notCalled } else { [] }
    }
}

/// A question about callbacks, which the tables answer.
private struct CallbackQuery {
    let app: AppImplementation
    let cause: EventCause
    let state: InitialState
    let system: Int

    var outcome: CallbackSequence.Outcome {
        if let requirement = LaunchRequirement.all.first(where: { $0.prevents(app, on: system) }) {
            return .cannotHappen(requirement.reason)
        }
        guard let causeRule = CauseRule.rule(for: cause, in: app.lifeCycle),
            let cell = causeRule.cells.first(where: { $0.states.contains(state) }),
            let stateRule = StateRule.rule(for: causeRule.effect, in: state, of: app.lifeCycle)
        else { return .cannotHappen("there is no rule") }
        guard system >= causeRule.since else { return .cannotHappen("it is new in iOS \(causeRule.since)") }
        switch (stateRule.outcome, cell.outcome) {
        case (.cannotHappen(let reason), _), (_, .cannotHappen(let reason)): return .cannotHappen(reason)
        case (.calls(let elements, let inState), .calls(let events, let forCause)):
            let objects = app.lifeCycle.objects
            let calls = steps(of: elements, with: events.received(by: objects)).filter { step in
                step.versions.since <= system && objects.contains(step.callback.object)
            }
            let absentCalls = allAbsentCalls(forCause + inState, besides: calls)
            return .calls(calls, notCalled: absentCalls + events.missed(by: objects))
        }
    }

    /// Returns the calls of a state with those of an event in their places.
    private func steps(of elements: [FrameElement], with events: [EventCall]) -> [CallbackStep] {
        let frame = Set(elements.compactMap(\.callback))
        var activation = state.activation
        var steps: [CallbackStep] = []
        for element in elements {
            switch element {
            case .call(let call):
                if call.scene == .chosen, let next = call.state { activation = next }
                let event = events.first { $0.callback == call.callback && call.scene == .chosen }
                steps.append(step(of: call, with: event, state: call.scene == .chosen ? activation : call.state))
            case .event(let place):
                steps += events.filter { $0.place == place && !frame.contains($0.callback) }
                    .map { step(of: $0, state: activation) }
            }
        }
        return steps
    }

    private func step(of call: FrameCall, with event: EventCall?, state: ActivationState?) -> CallbackStep {
        CallbackStep(
            callback: call.callback,
            scene: call.callback.object.belongsToScene ? call.scene : nil,
            argument: event?.argument,
            part: event?.part,
            state: state,
            reason: call.reason,
            condition: event == nil ? call.condition : event?.condition,
            source: event?.source ?? call.source,
            order: call.order,
            versions: versions(of: call.callback),
            isHandled: app.handles(call.callback, event?.argument, in: self.state)
        )
    }

    private func step(of event: EventCall, state: ActivationState?) -> CallbackStep {
        CallbackStep(
            callback: event.callback,
            scene: event.callback.object.belongsToScene ? .chosen : nil,
            argument: event.argument,
            part: event.part,
            state: state,
            reason: .deliver,
            condition: event.condition,
            source: event.source,
            order: event.order,
            versions: versions(of: event.callback),
            isHandled: app.handles(event.callback, event.argument, in: self.state)
        )
    }

    private func versions(of callback: Callback) -> SystemVersions {
        let requirement = LaunchRequirement.all.first { $0.lifeCycle == app.lifeCycle }
        return SystemVersions(since: callback.since, until: requirement.map { $0.system - 1 })
    }

    /// Returns the calls that are not made, with the replaced methods of the app delegate.
    private func allAbsentCalls(_ absentCalls: [AbsentCall], besides steps: [CallbackStep]) -> [AbsentCall] {
        let expected = absentCalls.filter { app.lifeCycle.objects.contains($0.callback.object) }
        let called = Set(steps.map(\.callback))
        let absent = Set(expected.map(\.callback))
        let replaced = ReplacedMethod.all.filter { row in
            let hasOption = row.option != nil && absent.contains(.scene(row.new))
            let isReplaced = called.contains(.scene(row.new)) || hasOption
            return row.causes.contains(cause) && isReplaced && !absent.contains(.app(row.old))
        }
        return expected + replaced.map(\.absentCall)
    }
}

extension [EventCall] {
    /// Returns the calls that an app with some objects receives.
    ///
    /// If the call with the event is not among them, the first repetition is the event for this app.
    fileprivate func received(by objects: Set<CallbackObject>) -> Self {
        var calls = filter { objects.contains($0.callback.object) }
        let hasEvent = calls.contains { $0.part == .event }
        if !hasEvent, let first = calls.firstIndex(where: { $0.part == .repetition }) { calls[first].part = .event }
        return calls
    }

    /// Returns the calls with the event if an app lacks the objects of all of them.
    fileprivate func missed(by objects: Set<CallbackObject>) -> [AbsentCall] {
        let calls = filter { $0.part == .event || $0.part == .repetition }
        guard !calls.contains(where: { objects.contains($0.callback.object) }) else { return [] }
        return calls.map { call in
            AbsentCall(call.callback, "the app has no \(call.callback.object.title)", source: call.source)
        }
    }
}

extension CauseRule {
    /// Returns the row of a cause.
    fileprivate static func rule(for cause: EventCause, in lifeCycle: LifeCycle) -> CauseRule? {
        all.first { $0.cause == cause && $0.lifeCycles.contains(lifeCycle) }
    }
}

extension StateRule {
    /// Returns the row of a state.
    fileprivate static func rule(
        for effect: EventEffect,
        in state: InitialState,
        of lifeCycle: LifeCycle
    ) -> StateRule? {
        all.first { rule in
            rule.lifeCycles.contains(lifeCycle) && rule.effects.contains(effect) && rule.states.contains(state)
        }
    }
}

extension FrameElement {
    /// The method of a call of the chosen scene or of the app; `nil` for a place, and for another scene.
    fileprivate var callback: Callback? {
        if case .call(let call) = self, call.scene == .chosen { call.callback } else { nil }
    }
}

extension LaunchRequirement {
    /// Returns whether an app does not launch on a version of iOS.
    fileprivate func prevents(_ app: AppImplementation, on version: Int) -> Bool {
        guard let appSDK = app.sdk else { return false }
        return app.lifeCycle == lifeCycle && appSDK >= sdk && version >= system
    }
}

extension ReplacedMethod {
    /// The absence of the old method.
    fileprivate var absentCall: AbsentCall {
        let alternative = option.map { ", or sets \($0.expression)" } ?? ""
        return AbsentCall(
            .app(old),
            "the app has scenes, so UIKit calls \(Callback.scene(new).signature)\(alternative)",
            source: source
        )
    }
}
