internal import DeviceModel
internal import Hummingbird
internal import LocalService
internal import SceneCallbacks
internal import WaypostSchema

/// The methods of an app that the system calls for a cause.
extension ControlAPI {
    /// The versions of iOS that have scenes.
    private static let systems = 13...99

    func addCallbackRoutes(to router: Router<ServiceContext>) {
        router.get("v1/devices/:name/apps/:app/callbacks") { request, context in
            let (device, app) = try app(context)
            let sequence = CallbackSequence(
                for: try request.requiredName("cause"),
                in: try request.requiredName("state"),
                of: device.store.model.app(app),
                system: try request.number(
                    "system",
                    default: device.store.model.system?.major ?? CallbackSequence.currentSystem,
                    in: Self.systems
                )
            )
            return try JSONResponse.make(sequence)
        }
    }
}
