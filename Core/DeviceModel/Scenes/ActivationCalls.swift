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

    /// The calls with the activation, and those that announce it.
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
        let sequence = CallbackSequence(for: waitingActivation.cause, in: state, of: app)
        steps = sequence.ordinarySteps.filter { step in
            switch step.part {
            case .event, .announcement: true
            case .repetition: rules.isResponseRepeated && isDelegateCalled && step.isHandled != false
            case nil: false
            }
        }
    }

    /// Whether the activation is among the options of the connection.
    var isConnectionOption: Bool {
        steps.first { $0.part != .announcement }.map { $0.callback == Self.connection } ?? true
    }

    /// The type of an activity that the process receives after the connection; `nil` for none.
    var announcedActivityType: String? {
        isConnectionOption ? nil : activation.activityType
    }

    /// The events with the activation, without the connection.
    var deliveries: [Delivery] {
        if steps.isEmpty, !isConnecting {
            // No method is called with the activation of a scene that only comes to the front.
            return [Delivery(state: .foregroundActive, event: .sceneActivated(activation))]
        }
        return steps.filter { $0.callback != Self.connection }
            .map { Delivery(state: $0.state, event: event(of: $0)) }
    }

    private func event(of step: CallbackStep) -> AppEvent {
        let method = step.callback.signature
        if step.part == .announcement, let type = activation.activityType {
            return .userActivityAnnounced(
                AnnouncedUserActivity(scene: activation.scene, activityType: type, method: method)
            )
        }
        var calledActivation = activation
        calledActivation.method = method
        return .sceneActivated(calledActivation)
    }
}

extension SceneActivation {
    /// The type of the activity, even if its data did not arrive.
    fileprivate var activityType: String? {
        userActivity?.activityType ?? failedUserActivity?.activityType
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
