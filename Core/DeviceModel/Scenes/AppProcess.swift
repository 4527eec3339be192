public import WaypostSchema

/// A process of an app, as the device knows it: which scenes are connected in it, and what it was handed.
///
/// An activation that was not taken is handed to each process once: with the connection of its scene where the scene was
/// not connected yet, as an event where it was.
public struct AppProcess: Sendable {
    /// The app.
    public let app: BundleIdentifier

    private var connected: [SceneIdentifier: SceneState] = [:]
    private var lastActivation = 0

    /// Creates a process that knows nothing yet.
    public init(of app: BundleIdentifier) {
        self.app = app
    }

    /// Returns what the process is told so that it knows everything of its scenes.
    ///
    /// - Parameter device: the device as it is now.
    /// - Returns: what is new; scenes that are gone, then the others in their order.
    public mutating func news(on device: DeviceModel) -> [AppEvent] {
        let scenes = device.app(app)?.scenes ?? []
        let waiting = device.activations(of: app).filter { $0.number > lastActivation }
        lastActivation = waiting.last?.number ?? lastActivation
        let there = Set(scenes.map(\.persistentIdentifier))
        let gone = connected.keys.filter { !there.contains($0) }.sorted { $0.rawValue < $1.rawValue }
        for scene in gone { connected[scene] = nil }
        return gone.map { .sceneChanged(SceneChange(scene: $0, state: .discarded)) }
            + scenes.flatMap { session in
                news(of: session, waiting.filter { $0.scene == session.persistentIdentifier })
            }
    }

    private mutating func news(of session: SceneSession, _ activations: [SceneActivation]) -> [AppEvent] {
        let scene = session.persistentIdentifier
        let former = connected[scene]
        guard session.state != .disconnected else {
            connected[scene] = nil
            return former == nil ? [] : [.sceneChanged(SceneChange(scene: scene, state: .disconnected))]
        }
        guard let former else {
            // A process begins with the scenes that the person sees, and with those that something waits for.
            guard session.state != .background || !activations.isEmpty else { return [] }
            connected[scene] = session.state
            return [.sceneConnected(ConnectedScene(session: session, connectionOptions: activations))]
        }
        connected[scene] = session.state
        let change = SceneChange(scene: scene, state: SceneChange.State(session.state))
        return (former == session.state ? [] : [.sceneChanged(change)]) + activations.map { .sceneActivated($0) }
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

extension DeviceEffect {
    /// What a process of an app is told because of the effect; `nil` where it is not for the app.
    ///
    /// What concerns scenes is not here, as it waits for a process: see `AppProcess`.
    public func event(for app: BundleIdentifier) -> AppEvent? {
        switch self {
        case .highlightsChanged(let update): update.app == app ? .highlightsChanged(update) : nil
        case .attributionProvided(let view): view.app == app ? .attributionProvided(view) : nil
        case .presentationChanged(let notice): notice.app == app ? .presentationChanged(notice) : nil
        case .menuItemChosen(let chosen): chosen.app == app ? .menuItemChosen(chosen) : nil
        case .deviceRestored: .detached(.restored)
        case .eventIgnored, .automaticSharingConsidered, .conversationPresented, .disambiguationPresented, .messageSent,
            .contentReturned, .associationUpdated, .notificationPosted, .repetitionIgnored, .notificationDiscarded,
            .sceneActivated, .sceneOpened, .urlOpened, .sceneLeft, .activityOffered, .nothingToOpen:
            nil
        }
    }
}
