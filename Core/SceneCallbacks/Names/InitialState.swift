internal import WaypostSchema

/// The state of the app, and of the scene that was chosen, before the cause.
package enum InitialState: String, StringEnum {
    /// The app does not run; the chosen scene's session is saved.
    case notRunning

    /// The app does not run, and no session was chosen: the first launch, or an event that needs a new scene.
    case notRunningNewScene

    /// The system started the process ahead of time and suspended it; no code of the app's delegate ran.
    case prewarmed

    /// The app runs, without a scene in the foreground; the scene of the chosen session is disconnected.
    case disconnected

    /// The app runs with a scene in the foreground, and no session was chosen: the event needs a new scene.
    case newScene

    /// The scene is in the background, or suspended; no scene of the app is in the foreground.
    case background

    /// The scene is in the background, behind another scene of the app.
    case behindOtherScene

    /// The scene is visible beside another scene of the app, which has the focus.
    case besideOtherScene

    /// The scene is in the foreground and receives no events, as below Control Center.
    case foregroundInactive

    /// The scene is in the foreground and receives events.
    case foregroundActive
}

extension InitialState {
    /// The state in a few words.
    package var title: String {
        switch self {
        case .notRunning: "not running, session saved"
        case .notRunningNewScene: "not running, new scene"
        case .prewarmed: "prewarmed"
        case .disconnected: "running, scene disconnected"
        case .newScene: "running, new scene"
        case .background: "background"
        case .behindOtherScene: "behind another scene"
        case .besideOtherScene: "beside another scene"
        case .foregroundInactive: "foreground inactive"
        case .foregroundActive: "foreground active"
        }
    }

    /// The activation state of the chosen scene; `nil` if it is not connected.
    var activation: ActivationState? {
        switch self {
        case .notRunning, .notRunningNewScene, .prewarmed, .disconnected, .newScene: nil
        case .background, .behindOtherScene: .background
        case .besideOtherScene, .foregroundInactive: .foregroundInactive
        case .foregroundActive: .foregroundActive
        }
    }
}

extension Set<InitialState> {
    /// The states in which the launch of the app begins.
    package static var launching: Self { [.notRunning, .notRunningNewScene, .prewarmed] }

    /// The states in which the app runs.
    package static var running: Self { Self.all.subtracting(Self.launching) }

    /// The states in which a scene connects for an event.
    package static var connecting: Self { Self.launching.union([InitialState.disconnected, .newScene]) }

    /// The states in which the chosen scene is in the background.
    package static var background: Self { [.background, .behindOtherScene] }

    /// The states in which the chosen scene is in the foreground.
    package static var foreground: Self { [.besideOtherScene, .foregroundInactive, .foregroundActive] }

    /// The states in which the chosen scene is connected.
    package static var connected: Self { Self.background.union(Self.foreground) }

    /// The states in which the chosen scene is not in the foreground.
    package static var notVisible: Self { Self.connecting.union(Self.background) }

    /// The states in which any scene of the app is in the foreground.
    package static var appInForeground: Self { Self.foreground.union([InitialState.newScene, .behindOtherScene]) }

    /// The states in which no scene of the app is in the foreground.
    package static var appNotInForeground: Self { Self.all.subtracting(Self.appInForeground) }

    /// All states.
    package static var all: Self { Self(InitialState.allCases) }
}

/// The activation state of a scene (`UIScene.ActivationState`), or of an app without scenes.
package enum ActivationState: String, Sendable, Encodable {
    /// Connected, and not in the background or foreground yet.
    case unattached

    /// Not on screen.
    case background

    /// On screen, and receives no events.
    case foregroundInactive

    /// On screen, and receives events.
    case foregroundActive
}
