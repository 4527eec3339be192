internal import DeviceModel
internal import Highlights
internal import Hummingbird
internal import WaypostSchema

/// A process of an app that asks something of its device.
struct AppCaller: Sendable {
    let app: BundleIdentifier
    let device: RunningDevice

    var sharing: SharedWithYou {
        device.store.model.sharing
    }

    /// The app as it is now, with its scenes.
    ///
    /// - Throws: `AgentError.unauthorized` where it was removed meanwhile.
    var description: AppDescription {
        get throws(AgentError) {
            guard let description = device.store.model.app(app) else { throw .unauthorized }
            return description
        }
    }

    /// Lets happen what the app asked for.
    ///
    /// - Throws: `AgentError` where it changed nothing.
    func happen(_ event: (BundleIdentifier) -> DeviceEvent) async throws -> Response {
        try await happened(event(app))
        return Response(status: .noContent)
    }

    private func happened(_ event: DeviceEvent) async throws {
        for case .eventIgnored(let ignored) in try await device.happen(event).effects {
            // The rest of the request is done; the context counts for the next window.
            if case .attributionRequested = event, ignored.reason == .displayContextTooLate { continue }
            // What stands in the way of a highlight is not for the app.
            throw ignored.reason == .noHighlight ? AgentError.highlight(.accessDenied) : .ignored(ignored)
        }
    }

    /// The highlight that the app has for a URL.
    ///
    /// - Throws: `AgentError.highlight`, the framework's error.
    func highlight(for url: String) throws(AgentError) -> Highlight {
        do throws(HighlightError) {
            return try sharing.highlight(for: url, of: app)
        } catch {
            throw .highlight(error.code)
        }
    }

    /// What the app has of an attribution view.
    ///
    /// - Throws: `AgentError.unknownView`, also where the view is another app's.
    func attributionView(_ view: AttributionViewID) throws(AgentError) -> AttributionView {
        guard let provided = device.store.model.attributionView(view, of: app) else { throw .unknownView(view) }
        return provided
    }

    /// Hands the app an attribution view.
    func provide(_ view: AttributionViewID, _ request: AttributionRequest) async throws -> AttributionView {
        _ = try highlight(for: request.url)
        let preferences = request.preferences ?? AttributionPreferences()
        try await happened(.attributionRequested(app, view, url: request.url, preferences))
        return try attributionView(view)
    }
}
