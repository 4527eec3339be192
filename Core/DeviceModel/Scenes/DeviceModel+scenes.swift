internal import Consent
internal import Highlights
internal import Targeting
public import WaypostSchema

/// The scenes of apps: create, bring to the front, send to the background and close.
extension DeviceModel {
    /// Returns the activations that no process of an app has taken yet, in the order in which they happened.
    public func activations(of app: BundleIdentifier) -> [SceneActivation] {
        waitingActivations(of: app).map(\.activation)
    }

    func waitingActivations(of app: BundleIdentifier) -> [WaitingActivation] {
        waiting.pendingActivations(for: app)
    }

    /// Returns the rich preview that an app supplied for a URL, or `nil` if it supplied none.
    public func preview(of url: String, for app: BundleIdentifier) -> LinkPreview? {
        sharing.contentKey(of: url).flatMap { apps[app]?.previews[$0] }
    }

    /// Returns the rich previews that an app supplied, sorted by URL.
    public func previews(of app: BundleIdentifier) -> [LinkPreview] {
        (apps[app]?.previews.values.map(\.self) ?? []).sorted { $0.url < $1.url }
    }

    /// The activities of other devices that the user can continue, in the order of their arrival.
    public var offeredActivities: [OfferedActivity] {
        offered.all
    }

    /// The apps on the device.
    public var appIdentifiers: Set<BundleIdentifier> {
        Set(apps.keys)
    }

    /// Returns the scene of an app that is in front of the app's others, or that the user saw last, if the app has any.
    public func frontScene(of app: BundleIdentifier) -> SceneIdentifier? {
        apps[app]?.frontScene
    }

    func lifetime(of scene: SceneIdentifier, in app: BundleIdentifier) -> SceneLifetime? {
        apps[app]?.lifetime(of: scene)
    }

    /// Returns the app as it is now, with its scenes, or `nil` if it is not on the device.
    public func app(_ app: BundleIdentifier) -> AppDescription? {
        apps[app]?.description
    }

    mutating func handle(_ event: SceneEvent, at now: Timestamp) throws(IgnoredEvent) -> [DeviceEffect] {
        switch event {
        case .appOpened(let app): return [try open(app, at: now)]
        case .sceneCreated(let app, let activity): return [try createScene(of: app, for: activity, at: now)]
        case .sceneRequested(let app, let activity): return [try requestScene(of: app, for: activity, at: now)]
        case .sceneBroughtForward(let app, let scene, let activity):
            return [try bringForward(scene, of: app, for: activity, at: now)]
        case .sceneBackgrounded(let app, let scene): return [try move(scene, of: app, to: .background)]
        case .sceneDisconnected(let app, let scene): return [try move(scene, of: app, to: .disconnected)]
        case .sceneClosed(let app, let scene): return [try move(scene, of: app, to: .closed)]
        case .activationConditionsSet(let app, let scene, let conditions):
            try setConditions(conditions, of: scene, in: app)
        case .appValueSet(let app, let name, let value):
            guard apps[app] != nil else { throw .unknown(app) }
            apps[app]?.setValue(value, named: name)
        case .restorationActivitySet(let app, let scene, let activity):
            try setRestorationActivity(activity, of: scene, in: app)
        case .shortcutItemsSet(let app, let items): try setShortcutItems(items, of: app)
        case .shortcutItemPerformed(let app, let type): return [try performShortcutItem(type, of: app, at: now)]
        case .userActivityContinued(let app, let activity, let device, let error):
            let effect = try continueActivity(activity, in: app, failingWith: error, at: now)
            offered.remove(of: app, from: device)
            return [effect]
        case .urlOpened(let url, let source, let page): return [try openURL(url, from: source, on: page, at: now)]
        case .activationTaken(let app, let number): try takeActivation(number, of: app)
        }
        return []
    }

    /// Brings a scene, or a new one, to the front; its activation waits for a process of the app.
    mutating func activate(
        _ scene: SceneIdentifier?,
        of id: BundleIdentifier,
        for cause: EventCause,
        at now: Timestamp,
        _ decision: SceneDecision? = nil,
        declaration: String? = nil,
        configuring configure: (inout SceneActivation) -> Void
    ) -> OpenedScene? {
        guard var app = apps[id] else { return nil }
        let initialState = app.initialState(of: scene)
        let front = scene ?? app.makeScene(of: declaration ?? decision?.declaration, eventNumber: eventNumber)
        apps[id] = app
        show(front, of: id, at: now)
        forceQuit.remove(id)
        var activation = SceneActivation(number: eventNumber, scene: front, isNewScene: scene == nil)
        configure(&activation)
        waiting.add(activation, of: id, for: cause)
        return OpenedScene(
            device: name,
            app: id,
            activation: activation,
            decision: decision,
            cause: cause,
            initialState: initialState
        )
    }

    /// Brings a scene to the front; the scenes for which there is no room then go to the background.
    mutating func show(_ scene: SceneIdentifier, of app: BundleIdentifier, at now: Timestamp) {
        activationCount += 1
        let moment = EventMoment(at: now, eventNumber: eventNumber)
        apps[app]?.bringForward(scene, at: moment, activationNumber: activationCount)
        recordRun(of: app)
        hideScenesWithoutRoom()
    }

    /// Sends the scenes to the background for which the layout of the device has no room, and returns them.
    @discardableResult
    mutating func hideScenesWithoutRoom() -> ArraySlice<VisibleWindows.Window> {
        let windows = VisibleWindows(of: apps.values).withoutRoom(in: layout)
        for window in windows { apps[window.app]?.setState(.background, of: window.scene) }
        return windows
    }

    /// Returns whether the user sees a scene, and touched no other one after it.
    func isInFront(_ scene: SceneIdentifier, of app: BundleIdentifier) -> Bool {
        guard apps[app]?.isActive(scene) == true else { return false }
        // A scene that fills the screen has none beside it, but a device file may say otherwise.
        return layout == .fullScreen
            || VisibleWindows(of: apps.values).front == VisibleWindows.Window(app: app, scene: scene)
    }

    mutating func createScene(
        of id: BundleIdentifier,
        for activity: UserActivity?,
        at now: Timestamp
    ) throws(IgnoredEvent) -> DeviceEffect {
        guard let app = apps[id] else { throw .unknown(id) }
        guard app.description.supportsMultipleScenes || app.frontScene == nil else {
            throw IgnoredEvent(reason: .oneSceneOnly, explanation: "the app \(id) supports only one scene, and has it")
        }
        let query = activity?.query ?? .userActivity(nil)
        let choice = declarationChoice(for: query, of: id)
        if let choice, choice.declaration == nil { throw .noDeclarationMatches(of: id, choice.explanation) }
        let cause: EventCause = activity == nil ? .icon : .sceneRequest
        let scene = activate(nil, of: id, for: cause, at: now, declaration: choice?.declaration?.name) {
            $0.userActivity = activity
        }
        return try openedEffect(for: scene, in: id)
    }

    mutating func bringForward(
        _ scene: SceneIdentifier,
        of id: BundleIdentifier,
        for activity: UserActivity?,
        at now: Timestamp
    ) throws(IgnoredEvent) -> DeviceEffect {
        _ = try app(id, with: scene)
        let cause: EventCause = activity == nil ? .icon : .sceneRequest
        let opened = activate(scene, of: id, for: cause, at: now) { $0.userActivity = activity }
        return try openedEffect(for: opened, in: id)
    }

    mutating func move(
        _ scene: SceneIdentifier,
        of id: BundleIdentifier,
        to state: SceneDeparture.State
    ) throws(IgnoredEvent) -> DeviceEffect {
        var app = try app(id, with: scene)
        switch state {
        case .background:
            // A disconnected scene is already farther away than the background.
            guard app.isVisible(scene) else {
                let explanation = "the scene \(scene) of \(id) is not in the foreground"
                throw IgnoredEvent(reason: .notInForeground, explanation: explanation)
            }
            app.setState(.background, of: scene)
        case .disconnected: app.setState(.disconnected, of: scene)
        case .closed:
            app.close(scene)
            waiting.removeAll(of: scene, in: id)
        }
        apps[id] = app
        return .scene(.sceneLeft(SceneDeparture(app: id, scene: scene, state: state)))
    }

    mutating func setConditions(
        _ conditions: ActivationConditions,
        of scene: SceneIdentifier,
        in id: BundleIdentifier
    ) throws(IgnoredEvent) {
        var app = try app(id, with: scene)
        do throws(ConditionError) {
            try app.setConditions(conditions, of: scene)
        } catch {
            let explanation = "app \(id), scene \(scene): \(error); the scene keeps its conditions"
            throw IgnoredEvent(reason: .unusableCondition, explanation: explanation)
        }
        apps[id] = app
    }

    mutating func setRestorationActivity(
        _ activity: UserActivity?,
        of scene: SceneIdentifier,
        in id: BundleIdentifier
    ) throws(IgnoredEvent) {
        var app = try app(id, with: scene)
        app.setRestorationActivity(activity, of: scene)
        apps[id] = app
    }

    mutating func setShortcutItems(_ items: [ShortcutItem], of id: BundleIdentifier) throws(IgnoredEvent) {
        guard var app = apps[id] else { throw .unknown(id) }
        if let repeatedType = app.setShortcutItems(items) {
            let error = DescriptionError.repeatedShortcutItem(id, repeatedType)
            throw IgnoredEvent(reason: .repeatedShortcutItem, explanation: "\(error)")
        }
        apps[id] = app
    }

    mutating func takeActivation(_ number: Int, of id: BundleIdentifier) throws(IgnoredEvent) {
        guard apps[id] != nil else { throw .unknown(id) }
        guard waiting.remove(number, of: id) else {
            let explanation = "no activation \(number) waits for the app \(id): it was taken, or its scene was closed"
            throw IgnoredEvent(reason: .unknownActivation, explanation: explanation)
        }
    }

    /// Returns the effect for a scene that came to the front.
    ///
    /// - Throws: `IgnoredEvent` if there is no scene, because the app does not exist.
    func openedEffect(for scene: OpenedScene?, in app: BundleIdentifier) throws(IgnoredEvent) -> DeviceEffect {
        guard let scene else { throw .unknown(app) }
        return .scene(.sceneOpened(scene))
    }

    private func app(_ id: BundleIdentifier, with scene: SceneIdentifier) throws(IgnoredEvent) -> InstalledApp {
        guard let app = apps[id] else { throw .unknown(id) }
        guard app.hasScene(scene) else { throw .unknown(scene, of: id) }
        return app
    }
}
