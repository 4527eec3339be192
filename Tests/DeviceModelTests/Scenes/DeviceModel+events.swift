import DeviceModel
import WaypostSchema

extension DeviceModel {
    /// Applies events in sequence and returns the effects of the last one.
    @discardableResult
    mutating func go(
        through events: [DeviceEvent],
        at now: Timestamp = Timestamp(milliseconds: 100)
    ) -> [DeviceEffect] {
        var effects: [DeviceEffect] = []
        for event in events { effects = apply(event, at: now).effects }
        return effects
    }

    /// Applies events in sequence and returns the effects of the last one.
    @discardableResult
    mutating func go(
        through events: DeviceEvent...,
        at now: Timestamp = Timestamp(milliseconds: 100)
    ) -> [DeviceEffect] {
        go(through: events, at: now)
    }
}

extension AppEvent {
    /// The method that the system calls; `nil` for none.
    var method: String? {
        switch self {
        case .sceneConnected(let scene): scene.method
        case .interactionStateRestored(let state): state.method
        case .userActivityAnnounced(let activity): activity.method
        case .sceneActivated(let activation): activation.method
        case .sceneChanged(let change): change.method
        case .called(let call): call.method
        case .tokenChanged(_, _, let method): method
        case .highlightsChanged, .attributionProvided, .presentationChanged, .menuItemChosen, .showMoreTapped,
            .liveActivityChanged, .detached:
            nil
        }
    }

    /// Returns the events of a scene that comes to the front.
    static func arrival(_ scene: SceneIdentifier) -> [AppEvent] {
        [
            .sceneChanged(scene, .foregroundInactive, "sceneWillEnterForeground(_:)"),
            .sceneChanged(scene, .foregroundActive, "sceneDidBecomeActive(_:)"),
        ]
    }

    /// Returns the events of an active scene that leaves the foreground.
    static func departure(_ scene: SceneIdentifier) -> [AppEvent] {
        [
            .sceneChanged(scene, .foregroundInactive, "sceneWillResignActive(_:)"),
            .sceneChanged(scene, .background, "sceneDidEnterBackground(_:)"),
        ]
    }

    /// Returns the events of a scene in the background that is disconnected, and closed if the user closed it.
    static func disconnection(_ scene: SceneIdentifier, isClosed: Bool = false) -> [AppEvent] {
        [sceneChanged(scene, .disconnected, "sceneDidDisconnect(_:)")] + (isClosed ? discard(scene) : [])
    }

    /// Returns the event of a session that the user closed.
    static func discard(_ scene: SceneIdentifier) -> [AppEvent] {
        [sceneChanged(scene, .discarded, "application(_:didDiscardSceneSessions:)")]
    }

    private static func sceneChanged(
        _ scene: SceneIdentifier,
        _ state: SceneChange.State,
        _ method: String
    ) -> AppEvent {
        .sceneChanged(SceneChange(scene: scene, state: state, method: method))
    }
}

extension [DeviceEffect] {
    /// The scene that opened without a notification, or `nil` unless its opening is the only effect.
    var openedScene: OpenedScene? {
        guard count == 1, case .scene(.sceneOpened(let opened)) = self[0] else { return nil }
        return opened
    }

    /// The result of opening a URL, or `nil` unless it is the only effect.
    var openedURL: OpenedURL? {
        guard count == 1, case .scene(.urlOpened(let opened)) = self[0] else { return nil }
        return opened
    }

    /// The reason why an event changed nothing, or `nil` unless it is the only effect.
    var refusal: IgnoredEvent? {
        guard count == 1, case .system(.eventIgnored(let ignored)) = self[0] else { return nil }
        return ignored
    }
}
