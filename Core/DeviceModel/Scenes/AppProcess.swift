internal import SceneCallbacks
public import WaypostSchema

/// The device's record of an app process: its connected scenes, and the activations, calls and tokens that it received.
///
/// Each event corresponds to a call of the system, in the order of `CallbackSequence` for an app with scenes. A process
/// receives an activation that was not taken once: with the connection of its scene if the scene was not connected yet,
/// otherwise as an event. A response for which the scene connects comes with both, unless the device says otherwise.
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

    /// The sessions of the app when the process last received events, connected or not.
    private var sessions: [SceneIdentifier: SceneLifetime] = [:]

    /// The numbers of the activations that the process received, and has not taken yet.
    private var receivedActivationNumbers: Set<Int> = []

    /// Whether the process has received no events yet.
    private var isLaunching = true

    /// The number of the last call that the process received.
    private var lastCallNumber = 0

    /// The tokens that the process received.
    private var receivedTokens: [AppToken] = []

    /// Creates a process that has received nothing yet.
    public init(of app: BundleIdentifier, as role: Role = .app) {
        self.app = app
        self.role = role
    }

    /// Returns the events that the process needs to know the current state of its scenes, its calls and its tokens.
    ///
    /// - Parameter device: the device as it is now.
    /// - Returns: the new events: first those of disconnected scenes, then those of scenes that lose the focus, come to
    ///   the front and leave the foreground, then the calls, then the tokens.
    public mutating func newEvents(on device: DeviceModel) -> [AppEvent] {
        defer { isLaunching = false }
        guard role == .app else { return newCallEvents(on: device) }
        return newSceneEvents(on: device) + newCallEvents(on: device) + newTokenEvents(on: device)
    }

    /// Returns the events of tokens that the app lost or got since the last call.
    private mutating func newTokenEvents(on device: DeviceModel) -> [AppEvent] {
        let tokens = device.tokens(of: app)
        let missingTokens = receivedTokens.filter { received in
            !tokens.contains { $0.purpose == received.purpose }
        }
        // A token that is renewed is not lost: the next event has the other one.
        let renewedTokens = missingTokens.filter { device.tokens.isRenewed($0.purpose) }
        defer { receivedTokens = tokens + renewedTokens }
        let lostPurposes = missingTokens.map(\.purpose).filter { !device.tokens.isRenewed($0) }
        let losses = lostPurposes.map { AppEvent.tokenChanged($0, nil, method: $0.kind.method(hasToken: false)) }
        let arrivals = tokens.filter { !receivedTokens.contains($0) }.map { token in
            AppEvent.tokenChanged(token.purpose, token.token, method: token.purpose.kind.method(hasToken: true))
        }
        return losses + arrivals
    }

    /// Returns the calls that the process has not received yet.
    private mutating func newCallEvents(on device: DeviceModel) -> [AppEvent] {
        let newCalls = device.calls(of: app).reversed().prefix { $0.number > lastCallNumber }.reversed()
        lastCallNumber = newCalls.last?.number ?? lastCallNumber
        return newCalls.filter { ($0.function == .didReceiveRequest) == (role == .serviceExtension) }
            .map { .called($0.named) }
    }

    private mutating func newSceneEvents(on device: DeviceModel) -> [AppEvent] {
        let waitingActivations = device.waitingActivations(of: app)
        receivedActivationNumbers.formIntersection(waitingActivations.map(\.activation.number))
        let newActivations = waitingActivations.filter { !receivedActivationNumbers.contains($0.activation.number) }
        let description = device.app(app)
        var events = disconnectionEvents(of: description?.scenes ?? [], on: device)
        let rules = ActivationRules(of: description, isResponseRepeated: device.isResponseRepeated)
        let activations = Dictionary(grouping: newActivations, by: \.activation.scene)
        func lastNumber(_ session: SceneSession) -> Int {
            activations[session.persistentIdentifier]?.last?.activation.number ?? 0
        }
        let sessions = description?.scenes.filter { $0.state != .disconnected } ?? []
        // A scene that loses the focus resigns before another one is called, and leaves the screen after that.
        for session in sessions where lastNumber(session) == 0 { events += resignationEvents(of: session) }
        var lastSession: SceneSession?
        // Scenes are called in the order in which they came to the front, although a process may read late.
        for session in sessions.sorted(by: { lastNumber($0) < lastNumber($1) }) {
            if let lastSession { events += resignationEvents(of: lastSession) }
            let arrived = activations[session.persistentIdentifier] ?? []
            events += arrivalEvents(of: session, arrived, by: rules, on: device)
            lastSession = session
        }
        for session in sessions { events += move(session.persistentIdentifier, to: session.state) }
        return events
    }

    /// Returns the events of connected scenes that were disconnected, and of sessions that were closed.
    ///
    /// A session was closed even if a new scene has the same name.
    private mutating func disconnectionEvents(of scenes: [SceneSession], on device: DeviceModel) -> [AppEvent] {
        let disconnectedScenes = Set(scenes.filter { $0.state == .disconnected }.map(\.persistentIdentifier))
        var events: [AppEvent] = []
        for (scene, session) in sessions.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let lifetime = device.lifetime(of: scene, in: app)
            if let connection = connections[scene],
                lifetime != connection.lifetime || disconnectedScenes.contains(scene)
            {
                events += move(scene, to: .disconnected)
                connections[scene] = nil
            }
            guard lifetime?.made != session.made else { continue }
            let method = Callback.app(.didDiscardSceneSessions).signature
            events.append(.sceneChanged(SceneChange(scene: scene, state: .discarded, method: method)))
        }
        let lifetimes = scenes.map { ($0.persistentIdentifier, device.lifetime(of: $0.persistentIdentifier, in: app)) }
        sessions = Dictionary(lifetimes) { _, last in last }.compactMapValues(\.self)
        return events
    }

    /// Returns the event of a scene that loses the focus.
    private mutating func resignationEvents(of session: SceneSession) -> [AppEvent] {
        let scene = session.persistentIdentifier
        guard connections[scene]?.state == .foregroundActive, session.state != .foregroundActive else { return [] }
        return move(scene, to: .foregroundInactive)
    }

    /// Returns the events of a scene that connects, comes to the front or receives activations.
    private mutating func arrivalEvents(
        of session: SceneSession,
        _ activations: [WaitingActivation],
        by rules: ActivationRules,
        on device: DeviceModel
    ) -> [AppEvent] {
        let scene = session.persistentIdentifier
        guard let connection = connections[scene] else {
            return connectionEvents(of: session, activations, by: rules, on: device)
        }
        receivedActivationNumbers.formUnion(activations.map(\.activation.number))
        var events: [AppEvent] = []
        var state = connection.state
        for activation in activations {
            let calls = ActivationCalls(activation, in: initialState(of: state), by: rules)
            events += Self.events(of: scene, from: state, to: .foregroundActive, [calls])
            state = .foregroundActive
        }
        connections[scene]?.state = state
        guard SceneTransition.isApproach(from: state, to: session.state) else { return events }
        return events + move(scene, to: session.state)
    }

    /// Returns the events of a scene that is not connected in the process.
    ///
    /// A process connects the scenes that the user sees, and those for which an activation waits.
    private mutating func connectionEvents(
        of session: SceneSession,
        _ activations: [WaitingActivation],
        by rules: ActivationRules,
        on device: DeviceModel
    ) -> [AppEvent] {
        let scene = session.persistentIdentifier
        guard session.state != .background || !activations.isEmpty,
            let lifetime = device.lifetime(of: scene, in: app)
        else { return [] }
        receivedActivationNumbers.formUnion(activations.map(\.activation.number))
        connections[scene] = Connection(state: session.state, lifetime: lifetime)
        let calls = activations.map { ActivationCalls($0, in: initialState(of: .disconnected), by: rules) }
        let connectedScene = ConnectedScene(
            session: session,
            connectionOptions: calls.filter(\.isConnectionOption).map(\.activation),
            handoffUserActivityType: calls.lazy.compactMap(\.announcedActivityType).first,
            method: Callback.scene(.willConnect).signature
        )
        return [.sceneConnected(connectedScene)] + Self.restorationEvents(of: session)
            + Self.events(of: scene, from: .disconnected, to: session.state, calls)
    }

    /// Returns the event of a scene that connects and has a saved state.
    private static func restorationEvents(of session: SceneSession) -> [AppEvent] {
        session.stateRestorationActivity.map { activity in
            let state = RestoredInteractionState(
                scene: session.persistentIdentifier,
                stateRestorationActivity: activity,
                method: Callback.scene(.restoreInteractionState).signature
            )
            return [.interactionStateRestored(state)]
        } ?? []
    }

    /// Returns the events of a scene that comes to the front, with those of its activations in their places.
    ///
    /// Each activation is delivered, even if the scene does not reach the state for it.
    private static func events(
        of scene: SceneIdentifier,
        from state: SceneState,
        to newState: SceneState,
        _ calls: [ActivationCalls]
    ) -> [AppEvent] {
        var deliveries = calls.flatMap(\.deliveries)
        func removeEvents(in state: SceneState) -> [AppEvent] {
            let dueDeliveries = deliveries.filter { $0.state == state.activation }
            deliveries.removeAll { $0.state == state.activation }
            return dueDeliveries.map(\.event)
        }
        var events = removeEvents(in: state)
        for transition in SceneTransition.path(from: state, to: newState) {
            events.append(transition.event(of: scene))
            events += removeEvents(in: transition.state)
        }
        return events + deliveries.map(\.event)
    }

    /// Moves a connected scene to a state; returns an event for each call.
    private mutating func move(_ scene: SceneIdentifier, to state: SceneState) -> [AppEvent] {
        guard let connection = connections[scene] else { return [] }
        connections[scene]?.state = state
        return SceneTransition.path(from: connection.state, to: state).map { $0.event(of: scene) }
    }

    /// Returns the state of the app and a scene before an activation.
    private func initialState(of state: SceneState) -> InitialState {
        switch state {
        case .foregroundActive: .foregroundActive
        case .foregroundInactive: .foregroundInactive
        case .background: .background
        case .disconnected: isLaunching ? .notRunning : .disconnected
        }
    }
}

extension AppCall {
    /// The call with its method.
    var named: AppCall {
        var call = self
        call.method =
            switch function {
            case .didReceiveRemoteNotification: Callback.app(.didReceiveRemoteNotification).signature
            case .willPresent: Callback.center(.willPresent).signature
            case .didReceiveResponse: Callback.center(.didReceive).signature
            case .didReceiveIncomingPush where pushType == "pushtotalk":
                "incomingPushResult(channelManager:channelUUID:pushPayload:)"
            case .didReceiveIncomingPush: "pushRegistry(_:didReceiveIncomingPushWith:for:completion:)"
            case .didReceiveRequest: "didReceive(_:withContentHandler:)"
            case .didReceiveLocationPush: "didReceiveLocationPushPayload(_:completion:)"
            case .enumerateChanges: "enumerateChanges(for:from:)"
            case .reloadTimelines: "getTimeline(in:completion:)"
            case .reloadControl: "currentValue()"
            }
        return call
    }
}

extension DeviceEffect {
    /// Returns the event for an app's process because of the effect, or `nil` if it is not for the app.
    ///
    /// Effects on scenes and tokens are not included, because `AppProcess` compares the state.
    public func appEvent(for app: BundleIdentifier) -> AppEvent? {
        switch self {
        case .system(.deviceRestored): .detached(.restored)
        case .sharing(.highlightsChanged(let update)): update.app == app ? .highlightsChanged(update) : nil
        case .attribution(.attributionProvided(let view)): view.app == app ? .attributionProvided(view) : nil
        case .attribution(.presentationChanged(let notice)): notice.app == app ? .presentationChanged(notice) : nil
        case .attribution(.menuItemChosen(let chosenItem)): chosenItem.app == app ? .menuItemChosen(chosenItem) : nil
        case .attribution(.showMoreTapped(let shownApp)): shownApp == app ? .showMoreTapped : nil
        case .notification(.liveActivityChanged(let activity)):
            activity.app == app ? .liveActivityChanged(activity) : nil
        case .notification(.appEnded(let endedApp, _)): endedApp == app ? .detached(.callNotReported) : nil
        case .system, .sharing, .attribution, .notification, .scene, .token: nil
        }
    }
}
