internal import Highlights
internal import Targeting
internal import UniversalLinks
internal import WaypostSchema

/// An app on a device: its description and its scenes as they are now.
struct InstalledApp: Sendable {
    private(set) var description: AppDescription
    private var candidates: [SceneCandidate]

    /// What became of each scene, by the numbers of events.
    private(set) var lives: [SceneIdentifier: SceneLife] = [:]

    /// The app's half of the association with domains; `nil` where it names none.
    let association: LinkAssociation?

    private let allowsDevelopment: Bool

    init(_ app: AppDescription, allowsDevelopment: Bool, at number: Int) throws(DescriptionFault) {
        description = app
        self.allowsDevelopment = allowsDevelopment
        association = try Self.association(of: app, allowsDevelopment)
        candidates = []
        var identifiers: Set<SceneIdentifier> = []
        for session in app.scenes {
            guard identifiers.insert(session.persistentIdentifier).inserted else {
                throw .repeatedScene(app.bundleIdentifier, session.persistentIdentifier)
            }
            lives[session.persistentIdentifier] = SceneLife(made: number, connected: number)
            do {
                candidates.append(try SceneCandidate(session, of: app.bundleIdentifier))
            } catch {
                throw .unusableCondition(app.bundleIdentifier, session.persistentIdentifier, String(describing: error))
            }
        }
        if let type = Self.repeatedType(in: shortcutItems) { throw .repeatedShortcutItem(app.bundleIdentifier, type) }
    }

    private static func association(
        of app: AppDescription,
        _ allowsDevelopment: Bool
    ) throws(DescriptionFault) -> LinkAssociation? {
        guard !app.associatedDomains.isEmpty else { return nil }
        guard let identifier = app.applicationIdentifier,
            identifier.rawValue.hasSuffix(".\(app.bundleIdentifier)")
        else { throw .applicationIdentifierNeeded(app.bundleIdentifier) }
        var modes: Set<AssociatedDomain.Mode> = []
        if allowsDevelopment { modes.insert(.developer) }
        if app.isManaged { modes.insert(.managed) }
        return LinkAssociation(app: identifier, entries: app.associatedDomains, activeModes: modes)
    }

    func select(for query: SceneQuery) -> SceneDecision {
        let rules = SelectionRules(supportsMultipleScenes: description.supportsMultipleScenes)
        return SceneSelection.select(for: query, among: candidates, rules)
    }

    /// Sends the app's scenes to the background; one app fills the screen of a device here.
    mutating func leaveForeground() {
        for index in candidates.indices where candidates[index].state.isForeground {
            setState(.background, of: index)
        }
    }

    /// The scene that the person sees, or saw last; `nil` where the app has none.
    var frontScene: SceneIdentifier? {
        let front = candidates.first { $0.state == .foregroundActive } ?? candidates.first { $0.state.isForeground }
        return (front ?? candidates.max { ($0.lastActivated?.rawValue ?? -1) < ($1.lastActivated?.rawValue ?? -1) })?
            .identifier
    }

    /// Whether the person sees a scene, and can touch it.
    func isInFront(_ scene: SceneIdentifier) -> Bool {
        candidates.contains { $0.identifier == scene && $0.state == .foregroundActive }
    }

    /// Whether the person sees a scene.
    func isSeen(_ scene: SceneIdentifier) -> Bool {
        candidates.contains { $0.identifier == scene && $0.state.isForeground }
    }

    /// Whether the person sees a scene of the app.
    var isInForeground: Bool {
        candidates.contains { $0.state.isForeground }
    }

    func has(_ scene: SceneIdentifier) -> Bool {
        candidates.contains { $0.identifier == scene }
    }

    /// Brings a scene to the front.
    mutating func bringForward(_ scene: SceneIdentifier, at now: Timestamp, _ number: Int) {
        guard let index = index(of: scene) else { return }
        if candidates[index].state == .disconnected { lives[scene]?.connected = number }
        setState(.foregroundActive, of: index)
        candidates[index].lastActivated = now
        description.scenes[index].lastActivated = now
    }

    /// Sends a scene further away from the person's eyes.
    mutating func setState(_ state: SceneState, of scene: SceneIdentifier) {
        guard let index = index(of: scene) else { return }
        setState(state, of: index)
    }

    /// Closes a scene: its session is gone.
    mutating func close(_ scene: SceneIdentifier) {
        lives[scene] = nil
        candidates.removeAll { $0.identifier == scene }
        description.scenes.removeAll { $0.persistentIdentifier == scene }
    }

    /// Sets what a scene can display and what it prefers; one that is refused changes nothing.
    mutating func setConditions(
        _ conditions: ActivationConditions,
        of scene: SceneIdentifier
    ) throws(ConditionFault) {
        guard let index = index(of: scene) else { return }
        try candidates[index].setConditions(conditions)
        description.scenes[index].activationConditions = conditions
    }

    /// Sets what a scene is restored with.
    mutating func setRestorationActivity(_ activity: UserActivity?, of scene: SceneIdentifier) {
        guard let index = index(of: scene) else { return }
        description.scenes[index].stateRestorationActivity = activity
    }

    // MARK: Quick actions

    /// Those that the app always has, and then those that it set.
    var shortcutItems: [ShortcutItem] {
        description.shortcutItems + description.dynamicShortcutItems
    }

    /// Sets the dynamic quick actions; returns the type that would be there twice, where nothing is set.
    mutating func setShortcutItems(_ items: [ShortcutItem]) -> String? {
        if let type = Self.repeatedType(in: description.shortcutItems + items) { return type }
        description.dynamicShortcutItems = items
        return nil
    }

    private static func repeatedType(in items: [ShortcutItem]) -> String? {
        var types: Set<String> = []
        return items.first { !types.insert($0.type).inserted }?.type
    }

    // MARK: Previews

    /// The rich previews that the app supplied, by what they are about.
    private(set) var previews: [ContentKey: LinkPreview] = [:]

    /// Takes in a preview.
    mutating func supply(_ preview: LinkPreview, of key: ContentKey) {
        previews[key] = preview
    }

    /// Forgets the previews of highlights that are gone.
    mutating func removePreviews(of highlights: Set<HighlightID>) {
        guard !highlights.isEmpty else { return }
        let app = description.bundleIdentifier
        previews = previews.filter { !highlights.contains(HighlightID($0.key, of: app)) }
    }

    // MARK: The order of scenes

    private func index(of scene: SceneIdentifier) -> Int? {
        candidates.firstIndex { $0.identifier == scene }
    }

    private mutating func setState(_ state: SceneState, of index: Int) {
        candidates[index].state = state
        description.scenes[index].state = state
    }

    /// Makes a scene with the platform's default conditions, named by the first free number; returns its identifier.
    mutating func makeScene(_ event: Int) -> SceneIdentifier {
        var number = 1
        while candidates.contains(where: { $0.identifier == Self.newSceneName(number) }) { number += 1 }
        let identifier = Self.newSceneName(number)
        candidates.append(SceneCandidate(identifier: identifier, state: .disconnected))
        description.scenes.append(SceneSession(persistentIdentifier: identifier, state: .disconnected))
        lives[identifier] = SceneLife(made: event, connected: event)
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

/// What became of a scene, by the numbers of events: names are given again, and a scene comes back into memory.
struct SceneLife: Sendable, Equatable, Codable {
    /// When its session was made.
    let made: Int

    /// When it came into memory last.
    var connected: Int
}

/// Conditions and associations follow from the description, which is what is written.
extension InstalledApp: Codable {
    private enum CodingKeys: CodingKey {
        case description
        case allowsDevelopment
        case lives
        case previews
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let app = try container.decode(AppDescription.self, forKey: .description)
        try self.init(app, allowsDevelopment: container.decode(Bool.self, forKey: .allowsDevelopment), at: 0)
        lives = try container.decode([SceneIdentifier: SceneLife].self, forKey: .lives)
        previews = try container.decode([ContentKey: LinkPreview].self, forKey: .previews)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(description, forKey: .description)
        try container.encode(allowsDevelopment, forKey: .allowsDevelopment)
        try container.encode(lives, forKey: .lives)
        try container.encode(previews, forKey: .previews)
    }
}
