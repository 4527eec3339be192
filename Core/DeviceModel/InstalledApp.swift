internal import Consent
internal import Highlights
internal import Targeting
internal import UniversalLinks
internal import WaypostSchema

/// An app on a device: its description and its scenes as they are now.
struct InstalledApp: Sendable {
    /// The app as it was described, without its scenes.
    private var app: AppDescription

    private var scenes: [InstalledScene] = []

    /// The app's side of the association with domains, or `nil` if it names no domains.
    let association: LinkAssociation?

    private let allowsDevelopment: Bool

    init(_ app: AppDescription, allowsDevelopment: Bool, at eventNumber: Int) throws(DescriptionError) {
        self.app = app
        self.app.scenes = []
        self.allowsDevelopment = allowsDevelopment
        association = try Self.association(of: app, allowsDevelopment)
        var identifiers: Set<SceneIdentifier> = []
        for session in app.scenes {
            guard identifiers.insert(session.persistentIdentifier).inserted else {
                throw .repeatedScene(app.bundleIdentifier, session.persistentIdentifier)
            }
            do throws(ConditionError) {
                var session = session
                session.activationConditions = try session.activationConditions.packaged(with: app.values ?? [:])
                scenes.append(try InstalledScene(session, of: app.bundleIdentifier, at: eventNumber))
            } catch {
                throw .unusableCondition(app.bundleIdentifier, session.persistentIdentifier, String(describing: error))
            }
        }
        try Self.check(app.declarations ?? [], of: app.bundleIdentifier)
        for scheme in urlSchemes
        where !LinkURL.isScheme(scheme.utf8) || LinkURL.Scheme(rawValue: scheme.lowercased()) != nil {
            throw .unusableURLScheme(app.bundleIdentifier, scheme)
        }
        if let type = Self.repeatedType(in: shortcutItems) { throw .repeatedShortcutItem(app.bundleIdentifier, type) }
    }

    private static func check(
        _ declarations: [SceneDeclaration],
        of app: BundleIdentifier
    ) throws(DescriptionError) {
        var names: Set<String> = []
        for declaration in declarations {
            guard names.insert(declaration.name).inserted else { throw .repeatedDeclaration(app, declaration.name) }
            do {
                _ = try CompiledConditions(declaration.activationConditions)
                _ = try CompiledConditions(ActivationConditions(allowing: declaration.matching))
            } catch {
                throw .unusableDeclaration(app, declaration.name, String(describing: error))
            }
        }
    }

    private static func association(
        of app: AppDescription,
        _ allowsDevelopment: Bool
    ) throws(DescriptionError) -> LinkAssociation? {
        guard !app.associatedDomains.isEmpty else { return nil }
        guard let identifier = app.applicationIdentifier else {
            throw .applicationIdentifierNeeded(app.bundleIdentifier)
        }
        guard identifier.rawValue.hasSuffix(".\(app.bundleIdentifier)") else {
            throw .unusableApplicationIdentifier(app.bundleIdentifier, identifier)
        }
        var modes: Set<AssociatedDomain.Mode> = []
        if allowsDevelopment, app.signing != .distribution { modes.insert(.developer) }
        if app.isManaged { modes.insert(.managed) }
        return LinkAssociation(app: identifier, entries: app.associatedDomains, activeModes: modes)
    }

    /// The bundle identifier of the app.
    var bundleIdentifier: BundleIdentifier {
        app.bundleIdentifier
    }

    /// The app as it is now, with its scenes.
    var description: AppDescription {
        var description = app
        description.scenes = scenes.map(\.session)
        return description
    }

    /// The strings of the app by language and key; `nil` if they are not described.
    var localizedStrings: [String: [String: String]]? {
        app.localizedStrings
    }

    /// The user's settings for the notifications of the app; `nil` if the user has changed none.
    var notificationSettings: NotificationSettings? {
        get { app.notificationSettings }
        set { app.notificationSettings = newValue }
    }

    /// The user's choices and the state on which the app's Live Activities depend; `nil` if nothing depends on them.
    var liveActivitySettings: LiveActivitySettings? {
        get { app.liveActivities }
        set { app.liveActivities = newValue }
    }

    /// Records that the app ran, if its Live Activities depend on that; returns whether it had not.
    mutating func recordRun() -> Bool {
        guard app.liveActivities?.hasRun == false else { return false }
        app.liveActivities?.hasRun = true
        return true
    }

    /// Whether the user allows Background App Refresh for the app.
    var isBackgroundRefreshOn: Bool {
        get { app.backgroundRefresh ?? true }
        set { app.backgroundRefresh = newValue }
    }

    /// The context menu of the app's content; `nil` if the app describes none.
    var contextMenu: ContentMenu? {
        app.contextMenu
    }

    /// The schemes of the app's custom URLs.
    var urlSchemes: [String] {
        app.urlSchemes ?? []
    }

    /// Returns whether the app has a URL scheme, which is in lowercase.
    func hasURLScheme(_ scheme: String) -> Bool {
        urlSchemes.contains { $0.lowercased() == scheme }
    }

    private var candidates: [SceneCandidate] {
        scenes.map(\.candidate)
    }

    func selectScene(for query: SceneQuery, by rules: SelectionRules) -> SceneDecision {
        SceneSelection.select(for: query, among: candidates, rules: rules)
    }

    /// The rules that depend on the app alone.
    var selectionRules: SelectionRules {
        SelectionRules(
            supportsMultipleScenes: app.supportsMultipleScenes,
            declarations: app.declarations ?? []
        )
    }

    /// The scenes that the user sees.
    var visibleScenes: [SceneCandidate] {
        candidates.filter(\.state.isForeground)
    }

    /// The scene in front of the app's others that the user sees; the one that the user saw last if the user sees none.
    ///
    /// It is `nil` if the app has no scenes.
    var frontScene: SceneIdentifier? {
        VisibleWindows(of: [self]).front?.scene
            ?? candidates.max { ($0.lastActivated?.rawValue ?? -1) < ($1.lastActivated?.rawValue ?? -1) }?.identifier
    }

    /// Returns the state of the app and a scene before an event activates the scene; `nil` is a new scene.
    ///
    /// The app runs as long as one of its scenes is connected.
    func initialState(of scene: SceneIdentifier?) -> InitialState {
        let isRunning = candidates.contains { $0.state != .disconnected }
        guard let state = candidates.first(where: { $0.identifier == scene })?.state else {
            return !isRunning ? .notRunningNewScene : isInForeground ? .newScene : .newSceneInBackground
        }
        switch state {
        case .foregroundActive: return .foregroundActive
        case .foregroundInactive:
            let isBeside = candidates.contains { $0.state == .foregroundActive }
            return isBeside ? .besideOtherScene : .foregroundInactive
        case .background: return isInForeground ? .behindOtherScene : .background
        case .disconnected: return isRunning ? .disconnected : .notRunning
        }
    }

    /// Returns whether the user sees a scene, and can touch it.
    func isActive(_ scene: SceneIdentifier) -> Bool {
        candidates.contains { $0.identifier == scene && $0.state == .foregroundActive }
    }

    /// Returns whether the user sees a scene.
    func isVisible(_ scene: SceneIdentifier) -> Bool {
        candidates.contains { $0.identifier == scene && $0.state.isForeground }
    }

    /// Whether the user sees a scene of the app.
    var isInForeground: Bool {
        candidates.contains { $0.state.isForeground }
    }

    func hasScene(_ scene: SceneIdentifier) -> Bool {
        index(of: scene) != nil
    }

    /// Returns the lifetime of a scene, or `nil` if the app does not have it.
    func lifetime(of scene: SceneIdentifier) -> SceneLifetime? {
        index(of: scene).map { scenes[$0].lifetime }
    }

    /// Brings a scene to the front.
    mutating func bringForward(_ scene: SceneIdentifier, at moment: EventMoment, activationNumber: Int) {
        guard let index = index(of: scene) else { return }
        scenes[index].bringForward(at: moment, activationNumber: activationNumber)
    }

    /// Sets the state of a scene that leaves the foreground.
    mutating func setState(_ state: SceneState, of scene: SceneIdentifier) {
        guard let index = index(of: scene) else { return }
        scenes[index].leaveForeground(for: state)
    }

    /// Disconnects all scenes; their sessions are kept.
    mutating func disconnectScenes() {
        for index in scenes.indices { scenes[index].leaveForeground(for: .disconnected) }
    }

    /// Closes a scene, and removes its session.
    mutating func close(_ scene: SceneIdentifier) {
        scenes.removeAll { $0.candidate.identifier == scene }
    }

    /// Sets the activation conditions of a scene, packaged with the values that the app has now; conditions that are
    /// refused change nothing.
    mutating func setConditions(
        _ conditions: ActivationConditions,
        of scene: SceneIdentifier
    ) throws(ConditionError) {
        guard let index = index(of: scene) else { return }
        try scenes[index].setConditions(try conditions.packaged(with: app.values ?? [:]))
    }

    /// Sets a value of the app; conditions that were set before keep the earlier one.
    mutating func setValue(_ value: JSONValue, named name: String) {
        var values = app.values ?? [:]
        values[name] = value
        app.values = values
    }

    /// Sets the state restoration activity of a scene.
    mutating func setRestorationActivity(_ activity: UserActivity?, of scene: SceneIdentifier) {
        guard let index = index(of: scene) else { return }
        scenes[index].restorationActivity = activity
    }

    // MARK: Quick actions

    /// The static quick actions of the app, and then the dynamic ones.
    var shortcutItems: [ShortcutItem] {
        app.shortcutItems + app.dynamicShortcutItems
    }

    /// Sets the dynamic quick actions, or returns a type that would be listed twice and sets nothing.
    mutating func setShortcutItems(_ items: [ShortcutItem]) -> String? {
        if let type = Self.repeatedType(in: app.shortcutItems + items) { return type }
        app.dynamicShortcutItems = items
        return nil
    }

    private static func repeatedType(in items: [ShortcutItem]) -> String? {
        var types: Set<String> = []
        return items.first { !types.insert($0.type).inserted }?.type
    }

    // MARK: Previews

    /// The rich previews that the app supplied, by content key.
    private(set) var previews: [ContentKey: LinkPreview] = [:]

    /// Stores a preview.
    mutating func supply(_ preview: LinkPreview, of key: ContentKey) {
        previews[key] = preview
    }

    /// Removes the previews of highlights that were removed.
    mutating func removePreviews(of highlights: Set<HighlightID>) {
        guard !highlights.isEmpty else { return }
        let app = app.bundleIdentifier
        previews = previews.filter { !highlights.contains(HighlightID($0.key, of: app)) }
    }

    // MARK: Scenes

    private func index(of scene: SceneIdentifier) -> Int? {
        scenes.firstIndex { $0.candidate.identifier == scene }
    }

    /// Creates a scene, named by the first free number; returns its identifier.
    ///
    /// - Parameters:
    ///   - declaration: the name of its declaration, whose conditions it has; by default, those of the platform.
    ///   - eventNumber: the number of the event.
    /// - Returns: the identifier.
    mutating func makeScene(of declaration: String?, eventNumber: Int) -> SceneIdentifier {
        var number = 1
        while hasScene(Self.newSceneName(number)) { number += 1 }
        let identifier = Self.newSceneName(number)
        let declared = app.declarations?.first { $0.name == declaration }
        scenes.append(InstalledScene(identifier, of: declared, at: eventNumber))
        return identifier
    }

    private static func newSceneName(_ number: Int) -> SceneIdentifier {
        SceneIdentifier(rawValue: "new-scene-\(number)")
    }
}

extension SceneState {
    fileprivate var isForeground: Bool {
        self == .foregroundActive || self == .foregroundInactive
    }
}

/// The coding of an app: its description is stored, from which its conditions and associations follow.
extension InstalledApp: Codable {
    private enum CodingKeys: CodingKey {
        case description
        case allowsDevelopment
        case lives
        case activations
        case previews
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let app = try container.decode(AppDescription.self, forKey: .description)
        try self.init(app, allowsDevelopment: container.decode(Bool.self, forKey: .allowsDevelopment), at: 0)
        let lifetimes = try container.decode([SceneIdentifier: SceneLifetime].self, forKey: .lives)
        let activations = try container.decode([SceneIdentifier: Int].self, forKey: .activations)
        for index in scenes.indices {
            if let lifetime = lifetimes[scenes[index].candidate.identifier] { scenes[index].lifetime = lifetime }
            scenes[index].candidate.activationNumber = activations[scenes[index].candidate.identifier]
        }
        previews = try container.decode([ContentKey: LinkPreview].self, forKey: .previews)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(description, forKey: .description)
        try container.encode(allowsDevelopment, forKey: .allowsDevelopment)
        let lifetimes = scenes.map { ($0.candidate.identifier, $0.lifetime) }
        try container.encode(Dictionary(uniqueKeysWithValues: lifetimes), forKey: .lives)
        let activations = candidates.compactMap { scene in scene.activationNumber.map { (scene.identifier, $0) } }
        try container.encode(Dictionary(uniqueKeysWithValues: activations), forKey: .activations)
        try container.encode(previews, forKey: .previews)
    }
}
