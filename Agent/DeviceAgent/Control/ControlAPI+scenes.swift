internal import DeviceModel
internal import Foundation
internal import GatewayClient
internal import Hummingbird
internal import LocalService
internal import WaypostSchema

/// Scenes: create, activate, send to the background and close; activities that continue on another device.
extension ControlAPI {
    func addSceneRoutes(to router: Router<ServiceContext>) {
        router.get("v1/devices/:name/scenes") { request, context in
            try await list(request, context, read: \.description.apps)
        }
        router.get("v1/devices/:name/apps/:app/scenes") { request, context in
            let (_, app) = try app(context)
            return try await list(request, context) { $0.app(app)?.scenes ?? [] }
        }
        router.post("v1/devices/:name/apps/:app/scenes") { request, context in
            let (device, app) = try app(context)
            let sceneRequest: SceneRequest = try await request.decoded()
            return try await applySceneOpening(.scene(.sceneCreated(app, sceneRequest.activity)), on: device)
        }
        router.post("v1/devices/:name/apps/:app/open") { _, context in
            let (device, app) = try app(context)
            return try await applySceneOpening(.scene(.appOpened(app)), on: device)
        }
        router.post("v1/devices/:name/apps/:app/explain") { request, context in
            let (device, app) = try app(context)
            let query: SceneQuery = try await request.strictlyDecoded()
            return try JSONResponse.make(device.store.model.sceneDecision(for: query, of: app))
        }
        router.post("v1/devices/:name/apps/:app/scenes/:scene/activate") { _, context in
            let (device, app) = try app(context)
            return try await applySceneOpening(
                .scene(.sceneBroughtForward(app, try Self.scene(context), nil)),
                on: device
            )
        }
        router.post("v1/devices/:name/apps/:app/scenes/:scene/background") { _, context in
            let (device, app) = try app(context)
            return try await applyDeparture(.scene(.sceneBackgrounded(app, try Self.scene(context))), on: device)
        }
        router.post("v1/devices/:name/apps/:app/scenes/:scene/disconnect") { _, context in
            let (device, app) = try app(context)
            return try await applyDeparture(.scene(.sceneDisconnected(app, try Self.scene(context))), on: device)
        }
        router.delete("v1/devices/:name/apps/:app/scenes/:scene") { _, context in
            let (device, app) = try app(context)
            return try await applyDeparture(.scene(.sceneClosed(app, try Self.scene(context))), on: device)
        }
        router.get("v1/devices/:name/apps/:app/activations") { request, context in
            let (_, app) = try app(context)
            return try await list(request, context) { $0.activations(of: app) }
        }
        addActivityRoutes(to: router)
        addCallbackRoutes(to: router)
    }

    private func addActivityRoutes(to router: Router<ServiceContext>) {
        router.get("v1/devices/:name/activities") { request, context in
            try await list(request, context, read: \.offeredActivities)
        }
        router.post("v1/devices/:name/activities/:id/continue") { request, context in
            let device = try device(context)
            let id = NotificationID(rawValue: try context.pathComponent("id"))
            guard let offer = device.store.model.offeredActivities.first(where: { $0.id == id }) else {
                throw AgentError.unknownOfferedActivity(id, device: device.store.name)
            }
            let error: HandoffError? = try request.name("error")
            return try await applySceneOpening(
                .scene(.userActivityContinued(offer.app, offer.activity, from: offer.from, error: error)),
                on: device
            )
        }
        router.post("v1/devices/:name/apps/:app/handoff") { request, context in
            let (device, app) = try app(context)
            let handoff: ActivityHandoff = try await request.decoded()
            let activity = try Self.activity(of: handoff.scene, app, on: device.store)
            let handedActivity = HandedActivity(app: app, activity: activity, from: device.store.name)
            do {
                try await device.session.send(handedActivity, to: handoff.to)
            } catch let error as CallError {
                throw AgentError.gateway("\(error)")
            }
            return try JSONResponse.make(handedActivity, status: .accepted)
        }
    }

    /// Returns the activity of a scene, or of the frontmost scene if `scene` is `nil`.
    private static func activity(
        of scene: SceneIdentifier?,
        _ app: BundleIdentifier,
        on device: DeviceStore
    ) throws(AgentError) -> UserActivity {
        let model = device.model
        let chosenScene = scene ?? model.frontScene(of: app)
        let session = model.app(app)?.scenes.first { $0.persistentIdentifier == chosenScene }
        if let scene, session == nil {
            throw .ignored(
                IgnoredEvent(reason: .unknownScene, explanation: "the app \(app) has no scene \(scene)")
            )
        }
        guard let activity = session?.stateRestorationActivity, scene != nil || session?.state == .foregroundActive
        else { throw .noActivity(app) }
        return activity
    }

    private static func scene(_ context: ServiceContext) throws -> SceneIdentifier {
        SceneIdentifier(rawValue: try context.pathComponent("scene"))
    }

    /// Applies an event that brings a scene to the front, and returns which scene and why.
    func applySceneOpening(_ event: DeviceEvent, on device: RunningDevice) async throws -> Response {
        if let refusal = Self.refusal(of: event, on: device.store) { throw AgentError.ignored(refusal) }
        for case .scene(.sceneOpened(let openedScene)) in try await device.applyOrThrow(event) {
            return try JSONResponse.make(openedScene)
        }
        throw RequestError.internalError
    }

    /// Applies an event with which a scene leaves the foreground, and returns which scene.
    private func applyDeparture(_ event: DeviceEvent, on device: RunningDevice) async throws -> Response {
        for case .scene(.sceneLeft(let departure)) in try await device.applyOrThrow(event) {
            return try JSONResponse.make(departure)
        }
        throw RequestError.internalError
    }
}
