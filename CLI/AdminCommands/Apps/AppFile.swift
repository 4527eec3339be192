internal import WaypostSchema

/// An app file: an app, as in a device file, and what its process does.
struct AppFile: Codable, Sendable, Equatable {
    /// The actions of an app's process.
    struct Process: Codable, Sendable, Equatable {
        /// The dynamic quick actions that the process sets.
        var shortcutItems: [ShortcutItem]?

        /// The activation conditions that the process sets, by scene.
        var conditions: [String: ActivationConditions]?

        /// The state restoration activities that the process sets, by scene.
        var restorationActivities: [String: UserActivity]?

        /// The rich previews that the process supplies for its highlights.
        var previews: [LinkPreview]?

        /// The preferences for the attribution views of its highlights, or `nil` to request no views.
        var attributions: AttributionPreferences?

        /// The highlights that the app shows, one after another, each as soon as the app has it.
        var views: [Viewing]?

        /// The results with which the process finishes the calls of the system.
        var calls: CallResults?
    }

    /// A result for each function of the app; an empty one if absent.
    struct CallResults: Codable, Sendable, Equatable {
        var didReceiveRemoteNotification: AppCallResult?
        var willPresent: AppCallResult?
        var didReceiveResponse: AppCallResult?
        var didReceiveIncomingPush: AppCallResult?
        var didReceiveRequest: AppCallResult?

        /// The result for a function.
        subscript(function: AppCall.Function) -> AppCallResult? {
            switch function {
            case .didReceiveRemoteNotification: didReceiveRemoteNotification
            case .willPresent: willPresent
            case .didReceiveResponse: didReceiveResponse
            case .didReceiveIncomingPush: didReceiveIncomingPush
            case .didReceiveRequest: didReceiveRequest
            }
        }
    }

    /// A highlight that the app shows for a time.
    struct Viewing: Codable, Sendable, Equatable {
        /// The URL of the highlight.
        var url: String

        /// Whether the app shows it in a list or in detail; in a list if absent.
        var displayContext: DisplayContext?

        /// How long its attribution view is in a window, in seconds; 0 if absent.
        var seconds: Double?

        /// Whether the user then comes to the end of the content; `false` if absent.
        var finishes: Bool?
    }

    private enum CodingKeys: CodingKey {
        case process
    }

    /// The app.
    var app: AppDescription

    /// The actions of the app's process, or `nil` if it only prints its events and takes activations.
    var process: Process?

    /// Decodes a file: the keys of an app, and `process`.
    init(from decoder: any Decoder) throws {
        app = try AppDescription(from: decoder)
        process = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(Process.self, forKey: .process)
    }

    /// Encodes the file in the same form.
    func encode(to encoder: any Encoder) throws {
        try app.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(process, forKey: .process)
    }
}

extension AppFile {
    /// The app with the activation conditions that its process sets.
    var appAfterLaunch: AppDescription {
        var app = app
        for index in app.scenes.indices {
            let scene = app.scenes[index].persistentIdentifier.rawValue
            if let conditions = process?.conditions?[scene] { app.scenes[index].activationConditions = conditions }
        }
        return app
    }
}

/// The reactions of an app's process to its events.
extension AppFile {
    /// An action of the process.
    enum Step: Sendable, Equatable {
        /// Take an activation.
        case take(SceneActivation)

        /// Finish a call of the system.
        case finish(AppCall, AppCallResult)

        /// Supply a rich preview.
        case supply(LinkPreview)

        /// Request an attribution view.
        case ask(AttributionRequest)

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
            conditions(of: scene.session.persistentIdentifier) + activity(of: scene.session.persistentIdentifier)
                + scene.connectionOptions.map { .take($0) }
        case .sceneActivated(let activation): [.take(activation)]
        case .highlightsChanged(let update):
            update.changes.filter { $0.change == .added || $0.change == .updated }.flatMap { steps(for: $0.highlight) }
        case .called(let call): [.finish(call, process?.calls?[call.function] ?? AppCallResult())]
        case .liveActivityChanged, .sceneChanged, .attributionProvided, .presentationChanged, .menuItemChosen,
            .detached:
            []
        }
    }

    /// Returns the steps for a highlight that is new or was updated.
    func steps(for highlight: Highlight) -> [Step] {
        let previews = (process?.previews ?? []).filter { $0.url == highlight.url }
        let request = process?.attributions.map { AttributionRequest(url: highlight.url, preferences: $0) }
        let views = (process?.views ?? []).filter { $0.url == highlight.url }
        return previews.map { .supply($0) } + (request.map { [.ask($0)] } ?? []) + views.map { .show($0) }
    }

    /// Returns the step that sets a scene's activation conditions, if the file has any for the scene.
    func conditions(of scene: SceneIdentifier) -> [Step] {
        process?.conditions?[scene.rawValue].map { [.setConditions($0, scene)] } ?? []
    }

    /// Returns the step that sets a scene's state restoration activity, if the file has one for the scene.
    private func activity(of scene: SceneIdentifier) -> [Step] {
        process?.restorationActivities?[scene.rawValue].map { [.setActivity($0, scene)] } ?? []
    }
}
