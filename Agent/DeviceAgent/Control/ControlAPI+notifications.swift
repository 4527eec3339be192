internal import DeviceModel
internal import Hummingbird
internal import LocalService
internal import WaypostSchema

/// Notifications: list, open and dismiss.
extension ControlAPI {
    func addNotifications(to router: Router<ServiceContext>) {
        router.get("v1/devices/:name/notifications") { request, context in
            try await list(request, context, \.notifications)
        }
        router.post("v1/devices/:name/notifications/:id/open") { _, context in
            let (device, id) = (try device(context), NotificationID(rawValue: try context.part("id")))
            for case .sceneActivated(let opened) in try await device.change(.notificationOpened(id)) {
                return try JSONResponse.make(opened)
            }
            throw AgentError.unknownNotification(id, device: device.store.name)
        }
        router.get("v1/devices/:name/notifications/:id/explain") { _, context in
            let (device, id) = (try device(context).store, NotificationID(rawValue: try context.part("id")))
            guard let decision = device.model.decision(on: id) else {
                throw AgentError.unknownNotification(id, device: device.name)
            }
            return try JSONResponse.make(decision)
        }
        router.delete("v1/devices/:name/notifications/:id") { _, context in
            let (device, id) = (try device(context), NotificationID(rawValue: try context.part("id")))
            _ = try await device.change(.notificationDismissed(id))
            return Response(status: .noContent)
        }
    }
}
