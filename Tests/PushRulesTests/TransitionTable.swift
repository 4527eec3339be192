import PushRules
import Testing
import WaypostSchema

/// The possible events of a notification, written down independently.
///
/// An event that is not listed is impossible.
enum TransitionTable {
    /// A pair of state and event.
    struct Case: CustomTestStringConvertible {
        var isTransient: Bool
        var state: DeliveryState
        var event: DeliveryEvent
        var next: DeliveryState?

        var testDescription: String { "\(state)\(isTransient ? ", transient" : ""): \(event)" }
    }

    typealias Transitions = [DeliveryState: [DeliveryEvent: DeliveryState]]

    /// A notification that is not transient is stored first, then sent as often as necessary, and ends for one of four
    /// reasons.
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

    /// A transient notification is sent once, and never stored, collapsed or expired.
    static let ofTransientNotifications: Transitions = [
        .accepted: [.send: .sent, .drop: .dropped, .unregister: .unregistered],
        .sent: [
            .comeBack: .dropped, .acknowledge: .acknowledged, .drop: .dropped, .unregister: .unregistered,
        ],
    ]

    /// Every possible pair.
    static let cases = cases(ofWhatIsKept, isTransient: false) + cases(ofTransientNotifications, isTransient: true)

    private static func cases(_ transitions: Transitions, isTransient: Bool) -> [Case] {
        DeliveryState.allCases.filter { !isTransient || $0 != .stored }.flatMap { state in
            DeliveryEvent.allCases.map { event in
                Case(isTransient: isTransient, state: state, event: event, next: transitions[state]?[event])
            }
        }
    }
}
