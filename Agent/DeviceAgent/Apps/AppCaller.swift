internal import DeviceModel
internal import Highlights
internal import Hummingbird
internal import LocalService
internal import WaypostSchema

/// The app whose process sent a request, and its device.
struct AppCaller: Sendable {
    let app: BundleIdentifier
    let device: RunningDevice

    var sharing: SharedWithYou {
        device.store.model.sharing
    }

    /// The app as it is now, with its scenes.
    ///
    /// - Throws: `AgentError.unauthorized` if the app was removed in the meantime.
    var description: AppDescription {
        get throws(AgentError) {
            guard let description = device.store.model.app(app) else { throw .unauthorized }
            return description
        }
    }

    /// Applies the event that the app requested.
    ///
    /// - Throws: `AgentError` if the event changed nothing.
    func apply(_ event: (BundleIdentifier) -> DeviceEvent) async throws -> Response {
        try await apply(event(app))
        return Response(status: .noContent)
    }

    @discardableResult
    private func apply(_ event: DeviceEvent) async throws -> [DeviceEffect] {
        let effects = try await device.apply(event).effects
        for case .system(.eventIgnored(let ignored)) in effects {
            // The rest of the request succeeded; the context applies to the next window.
            if case .attribution(.attributionRequested) = event, ignored.reason == .displayContextTooLate { continue }
            // The app must not learn why it has no highlight.
            throw ignored.reason == .noHighlight ? AgentError.highlight(.accessDenied) : .ignored(ignored)
        }
        return effects
    }

    /// Opens a scene for an activity of the app, and returns the choice of the scene.
    func requestScene(for activity: UserActivity) async throws -> SceneDecision {
        for case .scene(.sceneOpened(let opened)) in try await apply(.scene(.sceneRequested(app, activity))) {
            if let decision = opened.decision { return decision }
        }
        throw RequestError.internalError
    }

    /// Returns the highlight that the app has for a URL.
    ///
    /// - Throws: `AgentError.highlight` with the framework's error.
    func highlight(for url: String) throws(AgentError) -> Highlight {
        do throws(HighlightError) {
            return try sharing.highlight(for: url, of: app)
        } catch {
            throw .highlight(error.code)
        }
    }

    /// Returns the app's data of an attribution view.
    ///
    /// - Throws: `AgentError.unknownView`, also if the view belongs to another app.
    func attributionView(_ view: AttributionViewID) throws(AgentError) -> AttributionView {
        guard let attributionView = device.store.model.attributionView(view, of: app) else { throw .unknownView(view) }
        return attributionView
    }

    /// Creates or updates an attribution view, and returns the app's data of it, with the findings about the request.
    func provide(_ view: AttributionViewID, _ request: AttributionRequest) async throws -> AttributionView {
        _ = try highlight(for: request.url)
        let preferences = request.preferences ?? AttributionPreferences()
        let effects = try await apply(.attribution(.attributionRequested(app, view, url: request.url, preferences)))
        var answer = try attributionView(view)
        answer.findings += AttributionFinding.findings(in: effects, preferences)
        answer.findings += (RequestFindings.current?.unknownKeys ?? []).map(AttributionFinding.init)
        return answer
    }
}
