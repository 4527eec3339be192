internal import SceneCallbacks
internal import WaypostSchema

/// A change of a scene's state, for which the system calls a method of the scene's delegate.
struct SceneTransition {
    /// The state after the call.
    let state: SceneState

    /// The method.
    let method: SceneDelegateMethod

    /// The states, from the farthest one to the front.
    private static let order: [SceneState] = [.disconnected, .background, .foregroundInactive, .foregroundActive]

    /// Returns the changes of a scene that goes from one state to another, one for each call.
    ///
    /// A scene that connects begins as `disconnected`; the call for the connection itself is not among the changes.
    static func path(from state: SceneState, to newState: SceneState) -> [SceneTransition] {
        guard let start = order.firstIndex(of: state), let end = order.firstIndex(of: newState) else { return [] }
        guard start < end else { return order[end..<start].reversed().compactMap { departure(to: $0) } }
        return order[(start + 1)...end].compactMap { approach(to: $0) }
    }

    /// Returns whether a scene that goes from one state to another comes nearer to the front.
    static func isApproach(from state: SceneState, to newState: SceneState) -> Bool {
        guard let start = order.firstIndex(of: state), let end = order.firstIndex(of: newState) else { return false }
        return start < end
    }

    /// Returns the event for the change of a scene.
    func event(of scene: SceneIdentifier) -> AppEvent {
        let method = Callback.scene(method).signature
        return .sceneChanged(SceneChange(scene: scene, state: SceneChange.State(state), method: method))
    }

    private static func approach(to state: SceneState) -> SceneTransition? {
        switch state {
        case .foregroundActive: SceneTransition(state: state, method: .didBecomeActive)
        case .foregroundInactive: SceneTransition(state: state, method: .willEnterForeground)
        case .background, .disconnected: nil
        }
    }

    private static func departure(to state: SceneState) -> SceneTransition? {
        switch state {
        case .foregroundActive: nil
        case .foregroundInactive: SceneTransition(state: state, method: .willResignActive)
        case .background: SceneTransition(state: state, method: .didEnterBackground)
        case .disconnected: SceneTransition(state: state, method: .didDisconnect)
        }
    }
}

extension SceneState {
    /// The activation state of the scene; a scene that connects is not attached yet.
    var activation: ActivationState {
        switch self {
        case .foregroundActive: .foregroundActive
        case .foregroundInactive: .foregroundInactive
        case .background: .background
        case .disconnected: .unattached
        }
    }
}

extension SceneChange.State {
    fileprivate init(_ state: SceneState) {
        self =
            switch state {
            case .foregroundActive: .foregroundActive
            case .foregroundInactive: .foregroundInactive
            case .background: .background
            case .disconnected: .disconnected
            }
    }
}
