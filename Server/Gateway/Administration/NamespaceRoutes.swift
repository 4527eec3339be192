internal import Hummingbird
internal import LocalService
internal import WaypostSchema

/// `/v1/namespaces` and `/v1/clock`: what keeps test runs apart, and their time.
struct NamespaceRoutes {
    let namespaces: NamespaceService

    func add(to router: Router<BasicRequestContext>) {
        router.get("v1/namespaces") { _, _ in try JSONResponse.make(try await namespaces.list()) }
        router.delete("v1/namespaces/:name") { _, context in
            let name = try context.parameters.require("name")
            let namespace = try Namespace(checking: name, parameter: "name")
            // Not while something is done about its channels, which would be there again.
            try await namespaces.channels.perform { () async throws(GatewayError) in
                try await namespaces.reset(namespace)
            }
            return Response(status: .noContent)
        }
        router.get("v1/clock") { request, _ in
            try JSONResponse.make(try await namespaces.clock(of: try request.namespace))
        }
        router.post("v1/clock/advance") { request, _ in
            let namespace = try request.namespace
            let advance = try await JSONBody.decode(ClockAdvance.self, from: request)
            return try JSONResponse.make(try await namespaces.advanceClock(of: namespace, advance))
        }
    }
}
