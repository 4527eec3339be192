internal import WaypostSchema

/// What a person describes an app with: the app, as a device file has it, and what its process does.
struct AppFile: Codable, Sendable, Equatable {
    /// What a process of the app does once it is attached.
    struct Process: Codable, Sendable, Equatable {
        /// The dynamic quick actions that it sets.
        var shortcutItems: [ShortcutItem]?

        /// What its scenes can display and prefer, by scene.
        var conditions: [String: ActivationConditions]?

        /// What its scenes are restored with, by scene.
        var restorationActivities: [String: UserActivity]?

        /// The rich previews that it supplies for its highlights.
        var previews: [LinkPreview]?

        /// What it asks of the attribution views of its highlights; it asks for none where absent.
        var attributions: AttributionPreferences?
    }

    private enum CodingKeys: CodingKey {
        case process
    }

    /// The app.
    var app: AppDescription

    /// What its process does; nothing but to follow what it is told where absent.
    var process: Process?

    /// Reads a file: the keys of an app, and `process`.
    init(from decoder: any Decoder) throws {
        app = try AppDescription(from: decoder)
        process = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(Process.self, forKey: .process)
    }

    /// Writes it in the same way.
    func encode(to encoder: any Encoder) throws {
        try app.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(process, forKey: .process)
    }
}

/// What a process of an app does about what it is told.
extension AppFile {
    /// Something to do.
    enum Step: Sendable, Equatable {
        /// Take an activation.
        case take(SceneActivation)

        /// Supply a rich preview.
        case supply(LinkPreview)

        /// Ask for an attribution view.
        case ask(AttributionRequest)

        /// Say what a scene can display and what it prefers.
        case setConditions(ActivationConditions, SceneIdentifier)

        /// Say what a scene is restored with.
        case setActivity(UserActivity, SceneIdentifier)
    }

    /// Returns what is to be done about an event, in order.
    func steps(after event: AppEvent) -> [Step] {
        switch event {
        case .sceneConnected(let scene):
            conditions(of: scene.session.persistentIdentifier) + activity(of: scene.session.persistentIdentifier)
                + scene.connectionOptions.map { .take($0) }
        case .sceneActivated(let activation): [.take(activation)]
        case .highlightsChanged(let update):
            update.changes.filter { $0.change == .added || $0.change == .updated }.flatMap { steps(for: $0.highlight) }
        case .sceneChanged, .attributionProvided, .presentationChanged, .menuItemChosen, .detached: []
        }
    }

    /// Returns what is to be done for a highlight that is new to the process.
    func steps(for highlight: Highlight) -> [Step] {
        let previews = (process?.previews ?? []).filter { $0.url == highlight.url }
        let request = process?.attributions.map { AttributionRequest(url: highlight.url, preferences: $0) }
        return previews.map { .supply($0) } + (request.map { [.ask($0)] } ?? [])
    }

    /// Returns what a scene can display and prefers, where the file says so.
    func conditions(of scene: SceneIdentifier) -> [Step] {
        process?.conditions?[scene.rawValue].map { [.setConditions($0, scene)] } ?? []
    }

    /// Returns what a scene is restored with from now on, where the file says so.
    private func activity(of scene: SceneIdentifier) -> [Step] {
        process?.restorationActivities?[scene.rawValue].map { [.setActivity($0, scene)] } ?? []
    }
}
