package import WaypostSchema

extension InitialState {
    /// The state in a few words.
    package var title: String {
        switch self {
        case .notRunning: "not running, session saved"
        case .notRunningNewScene: "not running, new scene"
        case .prewarmed: "prewarmed"
        case .disconnected: "running, scene disconnected"
        case .newScene: "running, new scene"
        case .newSceneInBackground: "running in the background, new scene"
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
        case .notRunning, .notRunningNewScene, .prewarmed, .disconnected, .newScene, .newSceneInBackground: nil
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
    package static var connecting: Self {
        Self.launching.union([InitialState.disconnected, .newScene, .newSceneInBackground])
    }

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
