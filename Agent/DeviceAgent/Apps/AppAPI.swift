internal import DeviceModel
internal import Foundation
internal import HTTPTypes
internal import Highlights
internal import Hummingbird
internal import LocalService
internal import Logging
internal import TextBasics
internal import WaypostSchema

/// The API for processes of apps: what an app may read of the device, and what it may request.
///
/// Nothing in it identifies a person. The credential identifies the app and its device. The reason for a refusal is
/// available only from the control API.
struct AppAPI: AgentAPI {
    let agentDevices: AgentDevices
    let address: AgentAddress
    let allowedHosts: AllowedHosts
    let sources: AgentSources
    let logger: Logger
    let onListening: @Sendable (_ url: String) -> Void

    var health: Health {
        Health(schema: SchemaVersion.current, version: ProgramVersion.current)
    }

    /// Nothing: each app has a credential of its own.
    var token: ControlToken? {
        nil
    }

    func addRoutes(to router: Router<ServiceContext>) {
        router.get("v1/app") { request, _ in try JSONResponse.make(try caller(of: request).description) }
        router.get("v1/app/events") { request, context in
            let caller = try caller(of: request)
            return AppStream.response(in: context, for: caller.app, as: .app, on: caller.device)
        }
        router.get("v1/app/extension/events") { request, context in
            let caller = try caller(of: request)
            return AppStream.response(in: context, for: caller.app, as: .serviceExtension, on: caller.device)
        }
        router.post("v1/app/calls/:number/finish") { request, context in
            let number = try context.number(in: request)
            let (caller, result) = (try caller(of: request), try await request.decoded(as: AppCallResult.self))
            return try await caller.apply { .notification(.appCallFinished($0, call: number, result)) }
        }
        router.post("v1/app/activations/:number/taken") { request, context in
            let number = try context.number(in: request)
            return try await caller(of: request).apply { .scene(.activationTaken($0, number: number)) }
        }
        router.post("v1/app/notifications") { request, _ in
            let caller = try caller(of: request)
            let notification = try await request.decoded(as: LocalNotificationRequest.self)
            let id = NotificationID(rawValue: sources.makeUUID())
            return try await caller.apply { .notification(.localNotificationRequested($0, id: id, notification)) }
        }
        addTokenRoutes(to: router)
        addSceneRoutes(to: router)
        addHighlightRoutes(to: router)
        addAttributionRoutes(to: router)
    }

    private func addTokenRoutes(to router: Router<ServiceContext>) {
        router.post("v1/app/tokens") { request, _ in
            let (caller, token) = (try caller(of: request), try await request.decoded(as: TokenRequest.self))
            return try await caller.apply {
                .token(.tokenRequested(TokenPurpose(token.kind, of: $0, name: token.name)))
            }
        }
        router.delete("v1/app/tokens") { request, _ in
            let caller = try caller(of: request)
            let kind: TokenPurpose.Kind = try request.requiredName("kind")
            let name = request.uri.queryParameters.get("name")
            return try await caller.apply { .token(.tokenReleased(TokenPurpose(kind, of: $0, name: name))) }
        }
    }

    private func addSceneRoutes(to router: Router<ServiceContext>) {
        router.put("v1/app/shortcutItems") { request, _ in
            let caller = try caller(of: request)
            let items = try await request.decoded(as: [ShortcutItem].self)
            return try await caller.apply { .scene(.shortcutItemsSet($0, items)) }
        }
        router.post("v1/app/scenes") { request, _ in
            let caller = try caller(of: request)
            guard let activity = try await request.sceneActivity() else {
                return try await caller.apply { .scene(.sceneCreated($0, nil)) }
            }
            return try JSONResponse.make(try await caller.requestScene(for: activity))
        }
        router.post("v1/app/scenes/:scene/activate") { request, context in
            let (caller, scene) = (try caller(of: request), try context.scene())
            let activity = try await request.sceneActivity()
            return try await caller.apply { .scene(.sceneBroughtForward($0, scene, activity)) }
        }
        router.delete("v1/app/scenes/:scene") { request, context in
            let scene = try context.scene()
            return try await caller(of: request).apply { .scene(.sceneClosed($0, scene)) }
        }
        router.put("v1/app/scenes/:scene/conditions") { request, context in
            let (caller, scene) = (try caller(of: request), try context.scene())
            let conditions = try await request.decoded(as: ActivationConditions.self)
            return try await caller.apply { .scene(.activationConditionsSet($0, scene, conditions)) }
        }
        router.put("v1/app/scenes/:scene/restorationActivity") { request, context in
            let (caller, scene) = (try caller(of: request), try context.scene())
            let activity = try await request.decoded(as: UserActivity.self)
            return try await caller.apply { .scene(.restorationActivitySet($0, scene, activity)) }
        }
        router.delete("v1/app/scenes/:scene/restorationActivity") { request, context in
            let scene = try context.scene()
            return try await caller(of: request).apply { .scene(.restorationActivitySet($0, scene, nil)) }
        }
    }

    private func addHighlightRoutes(to router: Router<ServiceContext>) {
        router.get("v1/app/highlights") { request, _ in
            let caller = try caller(of: request)
            let (offset, limit) = (try request.number("offset", default: 0), try request.limit())
            let model = caller.device.store.model
            return try JSONResponse.make(model.highlightPage(of: caller.app, from: offset, limit: limit))
        }
        router.get("v1/app/highlight") { request, _ in
            let caller = try caller(of: request)
            return try JSONResponse.make(try caller.highlight(for: try request.requiredParameter("url")))
        }
        router.put("v1/app/previews") { request, _ in
            let caller = try caller(of: request)
            let preview = try await request.decoded(as: LinkPreview.self)
            _ = try caller.highlight(for: preview.url)
            return try await caller.apply { .attribution(.previewSupplied($0, preview)) }
        }
        router.post("v1/app/finished") { request, _ in
            let caller = try caller(of: request)
            let content = try await request.decoded(as: URLToOpen.self)
            _ = try caller.highlight(for: content.url)
            return try await caller.apply { .sharing(.contentFinished($0, url: content.url)) }
        }
    }

    private func addAttributionRoutes(to router: Router<ServiceContext>) {
        router.post("v1/app/attributions") { request, _ in
            let caller = try caller(of: request)
            var generator = SourceGenerator(sources: sources)
            let view = AttributionViewID.unguessable(using: &generator)
            return try JSONResponse.make(
                try await caller.provide(view, try await request.attributionRequest()),
                status: .created
            )
        }
        router.get("v1/app/attributions/:view") { request, context in
            try JSONResponse.make(try caller(of: request).attributionView(try context.view()))
        }
        router.put("v1/app/attributions/:view") { request, context in
            // Only the device creates handles, so the view must exist.
            let (caller, view) = try callerAndView(of: request, context)
            return try JSONResponse.make(try await caller.provide(view, try await request.attributionRequest()))
        }
        router.delete("v1/app/attributions/:view") { request, context in
            let (caller, view) = try callerAndView(of: request, context)
            return try await caller.apply { .attribution(.attributionReleased($0, view)) }
        }
        router.post("v1/app/attributions/:view/attach") { request, context in
            let (caller, view) = try callerAndView(of: request, context)
            return try await caller.apply { .attribution(.attributionAttached($0, view, url: nil, nil)) }
        }
        router.post("v1/app/attributions/:view/detach") { request, context in
            let (caller, view) = try callerAndView(of: request, context)
            return try await caller.apply { .attribution(.attributionDetached($0, view)) }
        }
        router.post("v1/app/attributions/:view/menu/:item") { request, context in
            let (caller, view) = try callerAndView(of: request, context)
            let item = MenuItemID(rawValue: try context.pathComponent("item"))
            return try await caller.apply { .attribution(.menuItemChosen($0, view, item, nil)) }
        }
    }

    /// Returns the app that sent a request, and the attribution view in the path.
    ///
    /// - Throws: `AgentError.unauthorized`, or `AgentError.unknownView` if the app has no such view.
    private func callerAndView(
        of request: Request,
        _ context: ServiceContext
    ) throws -> (caller: AppCaller, view: AttributionViewID) {
        let (caller, view) = (try caller(of: request), try context.view())
        _ = try caller.attributionView(view)
        return (caller, view)
    }

    /// Returns the app that sent a request.
    ///
    /// - Throws: `AgentError.unauthorized` if the request has no valid credential.
    private func caller(of request: Request) throws(AgentError) -> AppCaller {
        guard let token = bearerToken(in: request.headers[.authorization]) else { throw .unauthorized }
        let secret = BearerSecret(rawValue: String(token))
        for device in agentDevices.devices {
            if let app = device.store.appCredentials.app(of: secret) { return AppCaller(app: app, device: device) }
        }
        throw .unauthorized
    }
}

extension ServiceContext {
    fileprivate func scene() throws -> SceneIdentifier {
        SceneIdentifier(rawValue: try pathComponent("scene"))
    }

    /// Returns the number in the path of a request.
    fileprivate func number(in request: Request) throws -> Int {
        guard let number = Int(try pathComponent("number")) else {
            throw RequestError.notFound(request.uri.path, documentationPath: AppAPI.documentationPath)
        }
        return number
    }

    fileprivate func view() throws -> AttributionViewID {
        AttributionViewID(rawValue: try pathComponent("view"))
    }
}

extension Request {
    fileprivate func attributionRequest() async throws -> AttributionRequest {
        try await decoded()
    }

    /// Returns the activity for a scene, if the body has one.
    fileprivate func sceneActivity() async throws -> UserActivity? {
        try await decoded(as: SceneRequest.self).activity
    }
}
