internal import Hummingbird
internal import LocalService
internal import WaypostSchema

/// `/v1/faults`: what goes wrong on purpose with what providers send.
struct FaultRoutes {
    let faults: FaultInjector

    func add(to router: Router<BasicRequestContext>) {
        router.get("v1/faults") { request, _ in
            try JSONResponse.make(faults.list(in: try request.namespace))
        }
        router.post("v1/faults") { request, _ in
            let namespace = try request.namespace
            let fault = try await JSONBody.decode(SendFault.self, from: request)
            return try JSONResponse.make(try faults.add(fault, in: namespace), status: .created)
        }
        router.delete("v1/faults") { request, _ in
            faults.removeAll(in: try request.namespace)
            return Response(status: .noContent)
        }
        router.delete("v1/faults/:id") { request, context in
            let id = FaultID(rawValue: try context.parameters.require("id"))
            try faults.remove(id, in: try request.namespace)
            return Response(status: .noContent)
        }
    }
}
