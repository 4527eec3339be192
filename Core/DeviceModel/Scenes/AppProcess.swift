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
        let lifetime: SceneLifetime
    }

    private var connections: [SceneIdentifier: Connection] = [:]

    /// The numbers of the activations that the process received, and has not taken yet.
    private var receivedActivationNumbers: Set<Int> = []

    /// The number of the last call that the process received.
    private var lastCallNumber = 0

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
    public mutating func newEvents(on device: DeviceModel) -> [AppEvent] {
        (role == .app ? newSceneEvents(on: device) : []) + newCallEvents(on: device)
    }

    /// Returns the calls that the process has not received yet.
    private mutating func newCallEvents(on device: DeviceModel) -> [AppEvent] {
        let newCalls = device.calls(of: app).reversed().prefix { $0.number > lastCallNumber }.reversed()
        lastCallNumber = newCalls.last?.number ?? lastCallNumber
        return newCalls.filter { ($0.function == .didReceiveRequest) == (role == .serviceExtension) }
            .map { .called($0) }
    }

    private mutating func newSceneEvents(on device: DeviceModel) -> [AppEvent] {
        let scenes = device.app(app)?.scenes ?? []
        let pendingActivations = device.activations(of: app)
        receivedActivationNumbers.formIntersection(pendingActivations.map(\.number))
        let newActivations = pendingActivations.filter { !receivedActivationNumbers.contains($0.number) }
        return disconnectionEvents(on: device)
            + scenes.flatMap { session in
                let scene = session.persistentIdentifier
                guard let lifetime = device.lifetime(of: scene, in: app) else { return [AppEvent]() }
                return newEvents(of: session, lifetime, activations: newActivations.filter { $0.scene == scene })
            }
    }

    /// Returns the events of connected scenes that were disconnected or closed, even if a new scene has the same name.
    private mutating func disconnectionEvents(on device: DeviceModel) -> [AppEvent] {
        var events: [AppEvent] = []
        for (scene, connection) in connections.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let lifetime = device.lifetime(of: scene, in: app)
            guard lifetime != connection.lifetime else { continue }
            connections[scene] = nil
            let isSameSession = lifetime?.made == connection.lifetime.made
            events.append(.sceneChanged(SceneChange(scene: scene, state: isSameSession ? .disconnected : .discarded)))
        }
        return events
    }

    private mutating func newEvents(
        of session: SceneSession,
        _ lifetime: SceneLifetime,
        activations: [SceneActivation]
    ) -> [AppEvent] {
        let scene = session.persistentIdentifier
        let previousState = connections[scene]?.state
        guard session.state != .disconnected else {
            connections[scene] = nil
            return previousState == nil ? [] : [.sceneChanged(SceneChange(scene: scene, state: .disconnected))]
        }
        guard let previousState else {
            // A process connects the scenes that the user sees, and those for which an activation waits.
            guard session.state != .background || !activations.isEmpty else { return [] }
            receivedActivationNumbers.formUnion(activations.map(\.number))
            connections[scene] = Connection(state: session.state, lifetime: lifetime)
            return [.sceneConnected(ConnectedScene(session: session, connectionOptions: activations))]
        }
        receivedActivationNumbers.formUnion(activations.map(\.number))
        connections[scene]?.state = session.state
        let change = SceneChange(scene: scene, state: SceneChange.State(session.state))
        return (previousState == session.state ? [] : [.sceneChanged(change)]) + activations.map { .sceneActivated($0) }
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
    public func appEvent(for app: BundleIdentifier) -> AppEvent? {
        switch self {
        case .system(.deviceRestored): .detached(.restored)
        case .sharing(.highlightsChanged(let update)): update.app == app ? .highlightsChanged(update) : nil
        case .attribution(.attributionProvided(let view)): view.app == app ? .attributionProvided(view) : nil
        case .attribution(.presentationChanged(let notice)): notice.app == app ? .presentationChanged(notice) : nil
        case .attribution(.menuItemChosen(let chosenItem)): chosenItem.app == app ? .menuItemChosen(chosenItem) : nil
        case .notification(.liveActivityChanged(let activity)):
            activity.app == app ? .liveActivityChanged(activity) : nil
        case .system, .sharing, .attribution, .notification, .scene: nil
        }
    }
}
