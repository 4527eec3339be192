public import WaypostSchema

/// The device's record of an app process: its connected scenes, and the activations and calls that it received.
///
/// Each process receives an activation that was not taken once: with the connection of its scene if the scene was not
/// connected yet, otherwise as an event.
public struct AppProcess: Sendable {
    /// The programs of an app that run as processes.
    public enum Role: Sendable, Hashable {
        /// The app.
        case app

        /// The app's notification service extension, which has no scenes.
        case serviceExtension
    }

    /// The app.
    public let app: BundleIdentifier

    /// The program.
    public let role: Role

    /// A scene that is connected in the process.
    private struct Connection {
        var state: SceneState
        let life: SceneLife
    }

    private var connections: [SceneIdentifier: Connection] = [:]

    /// The activations that the process received, and has not taken yet.
    private var handed: Set<Int> = []

    /// The number of the last call that the process received.
    private var lastCall = 0

    /// Creates a process that has received nothing yet.
    public init(of app: BundleIdentifier, as role: Role = .app) {
        self.app = app
        self.role = role
    }

    /// Returns the events that the process needs to know the current state of its scenes, and its calls.
    ///
    /// - Parameter device: the device as it is now.
    /// - Returns: the new events: first those of disconnected scenes, then those of the others in their order, then the
    ///   calls.
    public mutating func news(on device: DeviceModel) -> [AppEvent] {
        (role == .app ? sceneNews(on: device) : []) + callNews(on: device)
    }

    /// Returns the calls that the process has not received yet.
    private mutating func callNews(on device: DeviceModel) -> [AppEvent] {
        let new = device.calls(of: app).reversed().prefix { $0.number > lastCall }.reversed()
        lastCall = new.last?.number ?? lastCall
        return new.filter { ($0.function == .didReceiveRequest) == (role == .serviceExtension) }.map { .called($0) }
    }

    private mutating func sceneNews(on device: DeviceModel) -> [AppEvent] {
        let scenes = device.app(app)?.scenes ?? []
        let waiting = device.activations(of: app)
        handed.formIntersection(waiting.map(\.number))
        let new = waiting.filter { !handed.contains($0.number) }
        return disconnections(on: device)
            + scenes.flatMap { session in
                let scene = session.persistentIdentifier
                guard let life = device.life(of: scene, app) else { return [AppEvent]() }
                return news(of: session, life, new.filter { $0.scene == scene })
            }
    }

    /// Returns the events of connected scenes that were disconnected or closed, even if a new scene has the same name.
    private mutating func disconnections(on device: DeviceModel) -> [AppEvent] {
        var events: [AppEvent] = []
        for (scene, connection) in connections.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let life = device.life(of: scene, app)
            guard life != connection.life else { continue }
            connections[scene] = nil
            let isSameSession = life?.made == connection.life.made
            events.append(.sceneChanged(SceneChange(scene: scene, state: isSameSession ? .disconnected : .discarded)))
        }
        return events
    }

    private mutating func news(
        of session: SceneSession,
        _ life: SceneLife,
        _ activations: [SceneActivation]
    ) -> [AppEvent] {
        let scene = session.persistentIdentifier
        let previous = connections[scene]?.state
        guard session.state != .disconnected else {
            connections[scene] = nil
            return previous == nil ? [] : [.sceneChanged(SceneChange(scene: scene, state: .disconnected))]
        }
        guard let previous else {
            // A process connects the scenes that the user sees, and those for which an activation waits.
            guard session.state != .background || !activations.isEmpty else { return [] }
            handed.formUnion(activations.map(\.number))
            connections[scene] = Connection(state: session.state, life: life)
            return [.sceneConnected(ConnectedScene(session: session, connectionOptions: activations))]
        }
        handed.formUnion(activations.map(\.number))
        connections[scene]?.state = session.state
        let change = SceneChange(scene: scene, state: SceneChange.State(session.state))
        return (previous == session.state ? [] : [.sceneChanged(change)]) + activations.map { .sceneActivated($0) }
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
    /// Returns the event for an app's process because of the effect, or `nil` if it is not for the app.
    ///
    /// Effects on scenes are not included, because they wait for a process: see `AppProcess`.
    public func event(for app: BundleIdentifier) -> AppEvent? {
        switch self {
        case .system(.deviceRestored): .detached(.restored)
        case .sharing(.highlightsChanged(let update)): update.app == app ? .highlightsChanged(update) : nil
        case .attribution(.attributionProvided(let view)): view.app == app ? .attributionProvided(view) : nil
        case .attribution(.presentationChanged(let notice)): notice.app == app ? .presentationChanged(notice) : nil
        case .attribution(.menuItemChosen(let chosen)): chosen.app == app ? .menuItemChosen(chosen) : nil
        case .notification(.liveActivityChanged(let activity)):
            activity.app == app ? .liveActivityChanged(activity) : nil
        case .system, .sharing, .attribution, .notification, .scene: nil
        }
    }
}
