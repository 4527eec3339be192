internal import HTTPTypes
internal import Hummingbird
internal import LocalService
internal import Logging
internal import WaypostSchema

/// One of the agent's two APIs: its routes and its address.
protocol AgentAPI: Sendable {
    /// The address where the API listens.
    var address: AgentAddress { get }

    /// The hosts by which clients may call the API, if its address is not a Unix domain socket.
    var allowedHosts: AllowedHosts { get }

    /// The token that callers must send, or `nil` for none.
    var token: ControlToken? { get }

    /// The logger for errors in requests.
    var logger: Logger { get }

    /// The health of the agent that callers of the API may read.
    var health: Health { get }

    /// Called with the base URL once the API listens.
    var onListening: @Sendable (_ url: String) -> Void { get }

    /// Adds the routes that are specific to this API.
    func addRoutes(to router: Router<ServiceContext>)
}

extension AgentAPI {
    /// The path of the document that describes the API.
    static var documentationPath: String {
        "docs/openapi-agent.yaml"
    }

    /// Returns the web application, which serves until a graceful shutdown.
    func application() -> some ApplicationProtocol {
        let router = Router(context: ServiceContext.self, options: .autoGenerateHeadEndpoints)
        let routes = RouteTable(documentationPath: Self.documentationPath)
        router.add(middleware: ErrorMiddleware(routes: routes, logger: logger))
        router.add(middleware: FindingsMiddleware())
        if case .loopback = address { router.add(middleware: AllowedHostsMiddleware(allowedHosts)) }
        if let token { router.add(middleware: ControlTokenMiddleware(token: token)) }
        router.get("health") { request, _ in
            var health = health
            // The details have paths and names, which only callers with the token may know.
            if let token, !token.isContained(in: request.headers[.authorization]) {
                health.checks = health.checks?.mapValues { _ in "failed" }
            }
            // An agent lists only the checks that failed.
            return try JSONResponse.make(health, status: health.checks == nil ? .ok : .serviceUnavailable)
        }
        addRoutes(to: router)
        routes.setRoutes(from: router)
        return Application(
            router: router,
            server: ServiceConnections.server(),
            configuration: .init(address: address.binding),
            onServerRunning: { channel in
                await ServiceConnections.addAcceptPause(toRunning: channel)
                onListening(address.url(port: channel.localAddress?.port))
            },
            logger: logger
        )
    }
}
