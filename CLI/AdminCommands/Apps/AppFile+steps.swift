internal import DeviceFiles
internal import WaypostSchema

/// The reactions of an app's process to its events.
extension AppFile {
    /// An action of the process.
    enum Step: Sendable, Equatable {
        /// Take an activation.
        case take(SceneActivation)

        /// Finish a call from the system.
        case finish(AppCall, AppCallResult)

        /// Supply a rich preview.
        case supply(LinkPreview)

        /// Request an attribution view.
        case requestAttribution(AttributionRequest)

        /// Show a highlight.
        case show(Viewing)

        /// Set the activation conditions of a scene.
        case setConditions(ActivationConditions, SceneIdentifier)

        /// Set the state restoration activity of a scene.
        case setActivity(UserActivity, SceneIdentifier)
    }

    /// Returns the steps to perform after an event, in order.
    func steps(after event: AppEvent) -> [Step] {
        switch event {
        case .sceneConnected(let scene):
            conditionSteps(for: scene.session.persistentIdentifier)
                + activitySteps(for: scene.session.persistentIdentifier)
                + scene.connectionOptions.map { .take($0) }
        case .sceneActivated(let activation): [.take(activation)]
        case .highlightsChanged(let update):
            update.changes.filter { $0.change == .added || $0.change == .updated }.flatMap { steps(for: $0.highlight) }
        case .called(let call): [.finish(call, process?.calls?[call.function.rawValue] ?? AppCallResult())]
        case .liveActivityChanged, .sceneChanged, .interactionStateRestored, .userActivityAnnounced,
            .attributionProvided, .presentationChanged, .menuItemChosen, .showMoreTapped, .tokenChanged, .detached:
            []
        }
    }

    /// Returns the steps for a highlight that is new or was updated.
    func steps(for highlight: Highlight) -> [Step] {
        let previews = (process?.previews ?? []).filter { $0.url == highlight.url }
        let request = process?.attributions.map { AttributionRequest(url: highlight.url, preferences: $0) }
        let views = (process?.views ?? []).filter { $0.url == highlight.url }
        return previews.map { .supply($0) } + (request.map { [.requestAttribution($0)] } ?? [])
            + views.map { .show($0) }
    }

    /// Returns the step that sets a scene's activation conditions, or no step if the file has none for the scene.
    func conditionSteps(for scene: SceneIdentifier) -> [Step] {
        process?.conditions?[scene.rawValue].map { [.setConditions($0, scene)] } ?? []
    }

    /// Returns the step that sets a scene's state restoration activity, or no step if the file has none for it.
    private func activitySteps(for scene: SceneIdentifier) -> [Step] {
        process?.restorationActivities?[scene.rawValue].map { [.setActivity($0, scene)] } ?? []
    }
}
