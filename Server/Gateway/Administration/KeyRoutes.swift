internal import Hummingbird
internal import LocalService
internal import WaypostSchema

/// `/v1/keys`: the keys that provider tokens are signed with.
struct KeyRoutes {
    let keys: ProviderKeyService

    func add(to router: Router<BasicRequestContext>) {
        router.get("v1/keys") { request, _ in
            try JSONResponse.make(try await keys.list(in: try request.namespace))
        }
        router.post("v1/keys") { request, _ in
            let namespace = try request.namespace
            let key = try await JSONBody.decode(ProviderKey.self, from: request)
            return try JSONResponse.make(try await keys.set(key, in: namespace), status: .created)
        }
        router.delete("v1/keys/:id") { request, context in
            let id = ProviderKeyID(rawValue: try context.parameters.require("id"))
            try await keys.remove(id, in: try request.namespace)
            return Response(status: .noContent)
        }
    }
}
