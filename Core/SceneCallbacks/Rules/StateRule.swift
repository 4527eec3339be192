internal import WaypostSchema

/// The effect of a cause on the app.
enum EventEffect: Sendable, CaseIterable {
    /// The app comes to the front, and its scene receives the event.
    case opensApp

    /// The app is called, and nothing on the screen changes.
    case callsApp
}

/// A row of the table of states: the calls around an event.
///
/// The row has no event; `CauseRule` has it. Each place of `CallPlace` is in the row once.
struct StateRule: Sendable {
    /// The calls of a row.
    enum Outcome: Sendable {
        /// These calls, and those that engineers expect in vain.
        case calls([FrameElement], notCalled: [AbsentCall])

        /// The state cannot occur, for this reason.
        case cannotHappen(String)
    }

    /// The life cycles for which the row holds; calls to objects that the app lacks are left out.
    let lifeCycles: Set<LifeCycle>

    /// The effects of causes for which the row holds.
    let effects: Set<EventEffect>

    /// The states before the cause.
    let states: Set<InitialState>

    /// The calls.
    let outcome: Outcome

    /// The table.
    static let all = scenes + swiftUI + appDelegate
}

/// A part of a row of the table of states.
enum FrameElement: Sendable {
    /// A call. If the event has the same call, that has the argument.
    case call(FrameCall)

    /// The place of the calls of the event.
    case event(CallPlace)
}

/// A place among the calls of the life cycle.
enum CallPlace: Sendable, CaseIterable {
    /// Before the scene enters the foreground.
    case beforeForeground

    /// Before the scene becomes active.
    case beforeActive

    /// After the scene became active.
    case afterActive
}

/// A call that belongs to a state, whatever the cause.
struct FrameCall: Sendable {
    let callback: Callback
    let reason: CallReason

    /// The scene that is called; without a meaning for other calls.
    let scene: CalledScene

    /// The state of that scene, or of an app without scenes, after the call; `nil` if it does not change.
    let state: ActivationState?

    let condition: CallCondition?

    /// The source for the call.
    let source: CallbackSource

    /// The source for its place.
    let order: CallbackSource

    init(
        _ callback: Callback,
        _ reason: CallReason,
        of scene: CalledScene = .chosen,
        then state: ActivationState? = nil,
        if condition: CallCondition? = nil,
        source: CallbackSource,
        order: CallbackSource? = nil
    ) {
        self.callback = callback
        self.reason = reason
        self.scene = scene
        self.state = state
        self.condition = condition
        self.source = source
        self.order = order ?? source
    }
}
