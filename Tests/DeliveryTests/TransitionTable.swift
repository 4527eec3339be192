import Delivery
import Testing
import WaypostSchema

/// What can happen to a notification, written down once more: what is not here cannot.
enum TransitionTable {
    /// A pair of state and event.
    struct Case: CustomTestStringConvertible {
        var isTransient: Bool
        var state: DeliveryState
        var event: DeliveryEvent
        var next: DeliveryState?

        var testDescription: String { "\(state)\(isTransient ? ", now or never" : ""): \(event)" }
    }

    typealias Transitions = [DeliveryState: [DeliveryEvent: DeliveryState]]

    /// What is kept is stored before anything else, sent as often as need be, and gone for one of four reasons.
    static let ofWhatIsKept: Transitions = [
        .accepted: [.store: .stored, .expire: .expired, .unregister: .unregistered],
        .stored: [
            .send: .sent, .acknowledge: .acknowledged, .collapse: .collapsed, .expire: .expired,
            .unregister: .unregistered,
        ],
        .sent: [
            .comeBack: .stored, .acknowledge: .acknowledged, .collapse: .collapsed, .expire: .expired,
            .unregister: .unregistered,
        ],
    ]

    /// What is now or never is sent once, and never stored, collapsed or expired.
    static let ofTransientNotifications: Transitions = [
        .accepted: [.send: .sent, .drop: .dropped, .unregister: .unregistered],
        .sent: [
            .comeBack: .dropped, .acknowledge: .acknowledged, .drop: .dropped, .unregister: .unregistered,
        ],
    ]

    /// Every pair that there can be.
    static let cases = cases(ofWhatIsKept, isTransient: false) + cases(ofTransientNotifications, isTransient: true)

    private static func cases(_ transitions: Transitions, isTransient: Bool) -> [Case] {
        DeliveryState.allCases.filter { !isTransient || $0 != .stored }.flatMap { state in
            DeliveryEvent.allCases.map { event in
                Case(isTransient: isTransient, state: state, event: event, next: transitions[state]?[event])
            }
        }
    }
}
