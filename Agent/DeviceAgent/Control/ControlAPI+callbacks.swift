internal import DeviceModel
internal import Hummingbird
internal import LocalService
internal import SceneCallbacks
internal import WaypostSchema

/// The methods of an app that the system calls for a cause.
extension ControlAPI {
    func addCallbackRoutes(to router: Router<ServiceContext>) {
        router.get("v1/devices/:name/apps/:app/callbacks") { request, context in
            let (device, app) = try app(context)
            let version = device.store.model.system
            if request.uri.queryParameters.get("system") == nil, let problem = CallbackSequence.problem(with: version) {
                throw RequestError.badParameter(name: "system", problem)
            }
            let sequence = CallbackSequence(
                for: try request.requiredName("cause"),
                in: try request.requiredName("state"),
                of: device.store.model.app(app),
                system: try request.number(
                    "system",
                    default: version?.major ?? CallbackSequence.currentSystem,
                    in: CallbackSequence.systems
                )
            )
            return try JSONResponse.make(sequence)
        }
    }
}
