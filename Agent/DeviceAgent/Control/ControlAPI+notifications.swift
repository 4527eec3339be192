internal import Attribution
internal import DeviceModel
internal import Hummingbird
internal import LocalService
internal import WaypostSchema

/// Notifications: list, open, answer and dismiss; and the tokens of apps.
extension ControlAPI {
    func addNotificationRoutes(to router: Router<ServiceContext>) {
        router.get("v1/devices/:name/notifications") { request, context in
            try await list(request, context, read: \.notifications)
        }
        router.get("v1/devices/:name/notificationCenter") { _, context in
            try JSONResponse.make(try device(context).store.model.notificationCenter)
        }
        router.get("v1/devices/:name/lockScreen.svg") { request, context in
            let style = try Self.style(request)
            return Self.pictureResponse(try device(context).store.model.lockScreen(at: sources.now()).svg(style))
        }
        router.get("v1/devices/:name/notifications/:id/banner.svg") { request, context in
            let (device, id) = try notification(context)
            let style = try Self.style(request)
            guard let drawing = device.store.model.banner(of: id, at: sources.now()) else {
                throw AgentError.unknownNotification(id, device: device.store.name)
            }
            return Self.pictureResponse(drawing.svg(style))
        }
        router.get("v1/devices/:name/liveActivities") { request, context in
            let device = try device(context)
            _ = try await list(request, context, read: \.liveActivities)
            // An activity that a notification has started just now requests its token.
            await device.tokenRegistrar.waitUntilTokensAreSettled()
            return try JSONResponse.make(device.store.model.liveActivities)
        }
        router.get("v1/devices/:name/tokens") { request, context in
            let device = try device(context).store
            let tokens = try await ListWait(request, context).list(
                after: device.changes,
                sources,
                read: { device.model.tokens.current },
                // A token that the gateway has not assigned yet does not count.
                count: { $0.count { $0.token != nil } }
            )
            return try JSONResponse.make(tokens)
        }
        router.delete("v1/devices/:name/liveActivities/:id") { _, context in
            let (device, id) = (try device(context), NotificationID(rawValue: try context.pathComponent("id")))
            _ = try await device.applyOrThrow(.notification(.liveActivityDismissed(id)))
            return Response(status: .noContent)
        }
        router.post("v1/devices/:name/notifications/:id/actions/:action") { request, context in
            let (device, id) = try notification(context)
            let action = try context.pathComponent("action")
            let text = try await request.decoded(as: ActionText.self).text
            let effects = try await device.applyOrThrow(
                .notification(.notificationActionChosen(id, action: action, text: text))
            )
            return try JSONResponse.make(DeviceReaction(effects: effects))
        }
        router.post("v1/devices/:name/notifications/:id/open") { _, context in
            let (device, id) = try notification(context)
            for case .scene(.sceneActivated(let activatedScene)) in try await device.applyOrThrow(
                .notification(.notificationOpened(id))
            ) {
                return try JSONResponse.make(activatedScene)
            }
            throw AgentError.unknownNotification(id, device: device.store.name)
        }
        router.get("v1/devices/:name/notifications/:id/explain") { _, context in
            let (device, id) = try notification(context, among: \.explainedNotifications)
            guard let decision = device.store.model.decision(on: id) else {
                throw AgentError.unknownNotification(id, device: device.store.name)
            }
            return try JSONResponse.make(decision)
        }
        router.delete("v1/devices/:name/notifications/:id") { _, context in
            let (device, id) = try notification(context)
            _ = try await device.applyOrThrow(.notification(.notificationDismissed(id)))
            return Response(status: .noContent)
        }
    }

    /// Returns the notification in the path, which names it by its identifier, the start of it, or `last`.
    ///
    /// - Parameters:
    ///   - context: the request.
    ///   - candidates: the notifications that can be named; by default, those that the user sees.
    /// - Returns: the device and the notification.
    /// - Throws: an error about the path.
    private func notification(
        _ context: ServiceContext,
        among candidates: KeyPath<DeviceModel, [DeviceNotification]> = \.notifications
    ) throws -> (device: RunningDevice, id: NotificationID) {
        let (device, name) = (try device(context), try context.pathComponent("id"))
        let id = device.store.model[keyPath: candidates].notification(named: name)?.id
        return (device, id ?? NotificationID(rawValue: name))
    }

    /// Returns the appearance of a picture.
    private static func style(_ request: Request) throws(RequestError) -> Appearance.Style {
        try request.flag("dark") == true ? .dark : .light
    }
}
