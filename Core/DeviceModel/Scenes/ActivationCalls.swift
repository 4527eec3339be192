internal import SceneCallbacks
internal import WaypostSchema

/// The calls with which a process of an app receives an activation.
///
/// `CallbackSequence` has the rules. They are those of an app with scenes, because the events of a process are about
/// scenes.
struct ActivationCalls {
    /// An event with the activation, and the state of the scene in which the process receives it.
    struct Delivery {
        let state: ActivationState?
        let event: AppEvent
    }

    /// The activation.
    let activation: SceneActivation

    /// The calls with the activation.
    private let steps: [CallbackStep]

    /// Whether the scene connects.
    private let isConnecting: Bool

    private static let connection = Callback.scene(.willConnect)

    /// Determines the calls.
    ///
    /// - Parameters:
    ///   - waitingActivation: the activation, with its cause.
    ///   - state: the state of the app and the scene before the activation.
    ///   - app: the app, with what it implements.
    ///   - isResponseRepeated: whether a response for which the scene connects is delivered a second time.
    init(
        _ waitingActivation: WaitingActivation,
        in state: InitialState,
        of app: AppImplementation,
        isResponseRepeated: Bool
    ) {
        activation = waitingActivation.activation
        isConnecting = Set<InitialState>.connecting.contains(state)
        let isDelegateCalled = app.notificationCenter?.setIn?.isCalled(in: state) != false
        steps = CallbackSequence(for: waitingActivation.ruleCause, in: state, of: app).eventSteps.filter { step in
            step.part == .event || (isResponseRepeated && isDelegateCalled && step.isHandled != false)
        }
    }

    /// Whether the activation is among the options of the connection.
    var isConnectionOption: Bool {
        steps.first.map { $0.callback == Self.connection } ?? true
    }

    /// The type of an activity that the process receives after the connection; `nil` for none.
    var announcedActivityType: String? {
        isConnectionOption ? nil : activation.userActivity?.activityType
    }

    /// The events with the activation, without the connection.
    var deliveries: [Delivery] {
        if steps.isEmpty, !isConnecting {
            // No method is called with the activation of a scene that only comes to the front.
            return [Delivery(state: .foregroundActive, event: .sceneActivated(activation))]
        }
        return steps.filter { $0.callback != Self.connection }
            .map { step in
                var calledActivation = activation
                calledActivation.method = step.callback.signature
                return Delivery(state: step.state, event: .sceneActivated(calledActivation))
            }
    }
}

extension WaitingActivation {
    /// The cause whose rules hold.
    ///
    /// The state of an earlier version has no cause for an activity that the app itself requested.
    fileprivate var ruleCause: EventCause {
        cause ?? (activation.userActivity == nil ? .icon : .sceneRequest)
    }
}
