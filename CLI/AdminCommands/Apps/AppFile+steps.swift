internal import WaypostSchema

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
