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
            steps(for: scene.session.persistentIdentifier) + scene.connectionOptions.map { .take($0) }
        case .sceneActivated(let activation): [.take(activation)]
        case .highlightsChanged(let update):
            update.changes.filter { $0.change == .added }.flatMap { steps(for: $0.highlight) }
        case .sceneChanged, .attributionProvided, .presentationChanged, .menuItemChosen, .detached: []
        }
    }

    /// Returns what is to be done for a highlight that is new to the process.
    func steps(for highlight: Highlight) -> [Step] {
        let previews = (process?.previews ?? []).filter { $0.url == highlight.url }
        let request = process?.attributions.map { AttributionRequest(url: highlight.url, preferences: $0) }
        return previews.map { .supply($0) } + (request.map { [.ask($0)] } ?? [])
    }

    /// Returns what is to be done for a scene of the process.
    func steps(for scene: SceneIdentifier) -> [Step] {
        let conditions = process?.conditions?[scene.rawValue].map { Step.setConditions($0, scene) }
        let activity = process?.restorationActivities?[scene.rawValue].map { Step.setActivity($0, scene) }
        return [conditions, activity].compactMap(\.self)
    }
}
