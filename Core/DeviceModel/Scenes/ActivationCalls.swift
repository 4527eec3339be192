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
    ///   - rules: what depends on the app and the device.
    init(_ waitingActivation: WaitingActivation, in state: InitialState, by rules: ActivationRules) {
        let app = rules.app
        activation = waitingActivation.activation
        isConnecting = Set<InitialState>.connecting.contains(state)
        let isDelegateCalled = app.notificationCenter?.setIn?.isCalled(in: state) != false
        steps = CallbackSequence(for: waitingActivation.cause, in: state, of: app).eventSteps.filter { step in
            step.part == .event || (rules.isResponseRepeated && isDelegateCalled && step.isHandled != false)
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

/// The rules for the activations of an app, which depend on the app and its device.
struct ActivationRules {
    /// The app, with what it implements.
    let app: AppImplementation

    /// Whether a response for which a scene connects is delivered a second time.
    let isResponseRepeated: Bool

    /// Creates the rules of an app with scenes, because the events of a process are about scenes.
    init(of description: AppDescription?, isResponseRepeated: Bool) {
        var implementation = description?.callbacks ?? AppImplementation()
        implementation.lifeCycle = .uiScene
        app = implementation
        self.isResponseRepeated = isResponseRepeated
    }
}
