internal import WaypostSchema

/// A row of the table of causes: the calls with the event.
struct CauseRule: Sendable {
    /// The cause.
    let cause: EventCause

    /// The life cycles for which the row holds; calls to objects that the app lacks are left out.
    let lifeCycles: Set<LifeCycle>

    /// The effect on the app.
    let effect: EventEffect

    /// The first version of iOS with the cause.
    var since = 13

    /// The cells; each state is in one.
    let cells: [CauseCell]

    /// The table.
    static let all = scenes + swiftUI + appDelegate
}

/// The calls of a cause in some states.
struct CauseCell: Sendable {
    /// The calls of a cell.
    enum Outcome: Sendable {
        /// These calls, and those that engineers expect in vain.
        case calls([EventCall], notCalled: [AbsentCall])

        /// The cause cannot occur in these states, for this reason.
        case cannotHappen(String)
    }

    /// The states before the cause.
    let states: Set<InitialState>

    /// The calls.
    let outcome: Outcome

    /// Returns a cell with calls.
    static func calls(_ states: Set<InitialState>, _ calls: EventCall..., notCalled: [AbsentCall] = []) -> Self {
        Self(states: states, outcome: .calls(calls, notCalled: notCalled))
    }

    /// Returns a cell for what cannot happen.
    static func cannotHappen(_ states: Set<InitialState>, _ reason: String) -> Self {
        Self(states: states, outcome: .cannotHappen(reason))
    }
}

/// A call with the event, or a part of it.
struct EventCall: Sendable {
    let callback: Callback

    /// The argument with the event.
    let argument: EventArgument

    /// The part of the event in the argument; `nil` for something else, such as an error.
    var part: EventPart?

    /// The place of the call, unless the state has the same call.
    let place: CallPlace

    let condition: CallCondition?

    /// The source for the call.
    let source: CallbackSource

    /// The source for its place.
    let order: CallbackSource

    init(
        _ callback: Callback,
        _ argument: EventArgument,
        part: EventPart? = .event,
        at place: CallPlace = .beforeActive,
        if condition: CallCondition? = nil,
        source: CallbackSource,
        order: CallbackSource? = nil
    ) {
        self.callback = callback
        self.argument = argument
        self.part = part
        self.place = place
        self.condition = condition
        self.source = source
        self.order = order ?? source
    }
}
