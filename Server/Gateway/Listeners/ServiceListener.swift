internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdTLS
internal import LocalService
internal import Logging
internal import NIOCore
internal import NIOHTTPTypes
internal import WaypostSchema

/// The listener for providers and users: registration, batches, apps, clocks, namespaces, health, metrics.
struct ServiceListener {
    let gateway: GatewayServices
    let configuration: GatewayConfiguration
    let sources: GatewaySources
    let health: HealthRoutes
    let metrics: MetricsRoutes
    let authority: AuthorityRoutes

    /// The token that callers must send, or `nil` if everyone may call.
    let token: AdminToken?
    let security: ListenerSecurity
    let logger: Logger
    let onListening: @Sendable (_ port: Int) -> Void

    /// Returns the web application, which serves until a graceful shutdown.
    func application() throws -> some ApplicationProtocol {
        let bodySize = configuration.batchLimits.bodySize
        let server = ServiceConnections.server(
            requestTimeout: .seconds(Int64(configuration.requestTimeout)),
            stallTimeout: .seconds(Int64(configuration.stallTimeout))
        ) {
            [ExpectContinueHandler(maximumBodySize: bodySize)]
        }
        return Application(
            router: router(),
            server: try security.configuration.map { try .tls(server, tlsConfiguration: $0) } ?? server,
            configuration: .init(address: .hostname(configuration.service.host, port: configuration.service.port)),
            onServerRunning: { channel in
                await ServiceConnections.addAcceptPause(toRunning: channel)
                onListening(channel.localAddress?.port ?? 0)
            },
            logger: logger
        )
    }

    /// Whether the listener has the console: by default, only on loopback and on a trusted network.
    private var hasConsole: Bool {
        configuration.console ?? (configuration.service.isLoopback || configuration.trustsNetwork)
    }

    private func router() -> Router<ServiceContext> {
        let router = Router(context: ServiceContext.self, options: .autoGenerateHeadEndpoints)
        let routes = RouteTable(documentationPath: "docs/openapi.yaml")
        router.add(middleware: RequestLog(metrics: gateway.delivery.metrics, logger: logger))
        router.add(middleware: ErrorMiddleware(routes: routes, logger: logger))
        router.add(middleware: FindingsMiddleware())
        router.add(middleware: BodyMemoryMiddleware(limiter: gateway.limiter))
        router.add(middleware: AllowedHostsMiddleware(configuration.effectiveAllowedHosts))
        if let token {
            let keys = gateway.keys
            router.add(
                middleware: AuthenticationMiddleware(
                    token: AdminTokenRotation(token, logger: logger, at: .now),
                    hasConsole: hasConsole
                ) { keys.isProvider($0) }
            )
        }
        health.add(to: router)
        metrics.add(to: router)
        authority.add(to: router)
        BatchRoutes(batches: gateway.batches, limiter: gateway.limiter).add(to: router)
        DeviceRoutes(devices: gateway.devices, channels: gateway.channels).add(to: router)
        InboxRoutes(devices: gateway.devices).add(to: router)
        StreamRoutes(delivery: gateway.delivery).add(to: router)
        NotificationRoutes(log: gateway.log, lists: ActivityLists(agents: gateway.agents, runs: gateway.runs))
            .add(to: router)
        RunRoutes(runs: gateway.runs).add(to: router)
        AppRoutes(devices: gateway.devices).add(to: router)
        KeyRoutes(keys: gateway.keys).add(to: router)
        ChannelRoutes(store: gateway.delivery.store).add(to: router)
        FaultRoutes(faults: gateway.faults).add(to: router)
        SenderRoutes(senders: gateway.senders).add(to: router)
        NamespaceRoutes(namespaces: gateway.namespaces).add(to: router)
        BackupRoutes(store: gateway.delivery.store).add(to: router)
        AgentRoutes(links: gateway.agents, sources: sources).add(to: router)
        CheckRoutes().add(to: router)
        if hasConsole { ConsoleRoutes().add(to: router) }
        routes.setRoutes(from: router)
        return router
    }
}

/// A handler that answers `Expect: 100-continue` (RFC 9110, 10.1.1), so that a client with a large body need not wait.
///
/// If the declared length of the body is too large, there is no `100 Continue`: the client gets the refusal and does
/// not send the body.
final class ExpectContinueHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    private let maximumBodySize: Int

    init(maximumBodySize: Int) {
        self.maximumBodySize = maximumBodySize
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data), expectsContinue(head) {
            context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
        }
        context.fireChannelRead(data)
    }

    private func expectsContinue(_ head: HTTPRequest) -> Bool {
        guard ExpectContinue.isRequested(by: [head.headerFields[.expect] ?? ""]) else { return false }
        return (head.headerFields[.contentLength].flatMap(Int.init) ?? 0) <= maximumBodySize
    }
}

/// The expectation of a client that waits for `100 Continue` before it sends a body.
enum ExpectContinue {
    /// Whether the values of an `Expect` header contain it.
    static func isRequested(by values: some Sequence<some StringProtocol>) -> Bool {
        values.contains { $0.lowercased() == "100-continue" }
    }
}
