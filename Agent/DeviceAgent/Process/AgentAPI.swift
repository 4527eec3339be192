internal import Hummingbird
internal import LocalService
internal import Logging
internal import WaypostSchema

/// One of the agent's two APIs: its routes and its address.
protocol AgentAPI: Sendable {
    /// The address where the API listens.
    var address: AgentAddress { get }

    /// The logger for errors in requests.
    var logger: Logger { get }

    /// Called with the base URL once the API listens.
    var onListening: @Sendable (_ url: String) -> Void { get }

    /// Adds the routes that are specific to this API.
    func addRoutes(to router: Router<BasicRequestContext>)
}

extension AgentAPI {
    /// The document that lists the paths.
    static var document: String {
        "docs/openapi-agent.yaml"
    }

    /// Returns the web application, which serves until a graceful shutdown.
    func application() -> some ApplicationProtocol {
        let router = Router()
        let paths = KnownPaths(document: Self.document)
        router.add(middleware: ErrorMiddleware(paths: paths, logger: logger))
        router.get("health") { _, _ in try JSONResponse.make(Health(schema: SchemaVersion.current)) }
        addRoutes(to: router)
        paths.note(router)
        return Application(
            router: router,
            configuration: .init(address: address.binding),
            onServerRunning: { channel in onListening(address.url(port: channel.localAddress?.port)) },
            logger: logger
        )
    }
}
