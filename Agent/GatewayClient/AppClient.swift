package import AsyncHTTPClient
internal import Foundation
internal import JSONScanning
package import WaypostSchema

/// A client with typed calls of an app's process to the app API of its device.
package struct AppClient: Sendable {
    private let calls: JSONCalls

    /// Creates a client with a credential.
    package init(_ http: HTTPClient, _ credential: AppCredential) {
        let token = credential.credential.rawValue
        calls = JSONCalls(http, base: credential.apps, token: { token })
    }

    /// Returns the app as it is now, with its scenes.
    package func app() async throws(CallError) -> AppDescription {
        try await calls.get("/v1/app")
    }

    /// Attaches the process, and follows its events until the stream ends.
    ///
    /// - Parameters:
    ///   - isServiceExtension: whether the process is that of the app's notification service extension.
    ///   - onAttached: called once the process is attached.
    ///   - handle: called with each event; the next event waits until it returns.
    /// - Throws: `CallError`, or what `onAttached` and `handle` throw.
    package func follow(
        asServiceExtension isServiceExtension: Bool = false,
        onAttached: () async throws -> Void,
        handle: (AppEvent) async throws -> Void
    ) async throws {
        let path = isServiceExtension ? "/v1/app/extension/events" : "/v1/app/events"
        try await calls.follow(path, onOpen: onAttached) { events in
            for event in events where event.type == "app" {
                try await handle(try DocumentDecoder.decode(AppEvent.self, fromDeepJSON: event.data.utf8))
            }
        }
    }

    /// Finishes a call of the system, as a completion handler does.
    package func finish(_ call: AppCall, with result: AppCallResult) async throws(CallError) {
        try await calls.send(.post, "/v1/app/calls/\(call.number)/finish", body: result)
    }

    /// Takes an activation, so that no other process receives it.
    package func take(_ activation: SceneActivation) async throws(CallError) {
        try await calls.send(.post, "/v1/app/activations/\(activation.number)/taken", body: JSONValue.object([:]))
    }

    /// Sets the activation conditions of a scene.
    package func set(_ conditions: ActivationConditions, of scene: SceneIdentifier) async throws(CallError) {
        try await calls.send(
            .put,
            "/v1/app/scenes/\(PercentEncoding.escaped(scene.rawValue))/conditions",
            body: conditions
        )
    }

    /// Sets the state restoration activity of a scene.
    package func set(_ activity: UserActivity, of scene: SceneIdentifier) async throws(CallError) {
        try await calls.send(
            .put,
            "/v1/app/scenes/\(PercentEncoding.escaped(scene.rawValue))/restorationActivity",
            body: activity
        )
    }

    /// Sets the dynamic quick actions.
    package func set(_ items: [ShortcutItem]) async throws(CallError) {
        try await calls.send(.put, "/v1/app/shortcutItems", body: items)
    }

    /// Returns the app's first highlights, in order.
    package func highlights(limit: Int) async throws(CallError) -> HighlightPage {
        try await calls.get("/v1/app/highlights?limit=\(limit)")
    }

    /// Supplies the rich preview of a highlight.
    package func supply(_ preview: LinkPreview) async throws(CallError) {
        try await calls.send(.put, "/v1/app/previews", body: preview)
    }

    /// Puts an attribution view into a window.
    package func attach(_ view: AttributionViewID) async throws(CallError) {
        try await calls.send(.post, "/v1/app/attributions/\(view)/attach", body: JSONValue.object([:]))
    }

    /// Takes an attribution view out of its window.
    package func detach(_ view: AttributionViewID) async throws(CallError) {
        try await calls.send(.post, "/v1/app/attributions/\(view)/detach", body: JSONValue.object([:]))
    }

    /// Releases an attribution view.
    package func release(_ view: AttributionViewID) async throws(CallError) {
        try await calls.delete("/v1/app/attributions/\(view)")
    }

    /// Reports that the user came to the end of the content of a highlight.
    package func reportFinishedHighlight(_ url: String) async throws(CallError) {
        try await calls.send(.post, "/v1/app/finished", body: URLToOpen(url: url))
    }

    /// Requests an attribution view of a highlight.
    package func attribution(_ request: AttributionRequest) async throws(CallError) -> AttributionView {
        try await calls.post("/v1/app/attributions", request)
    }
}
