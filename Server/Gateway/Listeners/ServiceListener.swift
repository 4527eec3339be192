internal import Hummingbird
internal import Logging
internal import NIOCore
internal import WaypostSchema

/// The listener that providers and people talk to: registration, batches, apps, clocks, namespaces, health, metrics.
struct ServiceListener {
    let mailroom: Mailroom
    let pendingIntake: PendingIntake
    let door: IntakeLimiter
    let configuration: GatewayConfiguration
    let health: HealthRoutes
    let metrics: MetricsRoutes

    /// What whoever calls has to show; `nil` where everybody may call.
    let token: AdminToken?
    let logger: Logger
    let onListening: @Sendable (_ port: Int) -> Void

    /// The web application, which serves until a graceful shutdown.
    func application() -> some ApplicationProtocol {
        let bodySize = configuration.batchLimits.bodySize
        let stallTimeout = TimeAmount.seconds(Int64(configuration.stallTimeout))
        return Application(
            router: router(),
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [
                        ExpectContinueHandler(maximumBody: bodySize), SlowReaderHandler(timeout: stallTimeout),
                    ]
                )
            ),
            configuration: .init(address: .hostname(configuration.service.host, port: configuration.service.port)),
            onServerRunning: { channel in onListening(channel.localAddress?.port ?? 0) },
            logger: logger
        )
    }

    private func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.add(middleware: RequestLog(metrics: mailroom.metrics, logger: logger))
        router.add(middleware: ErrorMiddleware(logger: logger))
        if let token {
            let mailroom = mailroom
            router.add(middleware: AuthenticationMiddleware(token: token) { mailroom.isProvider($0) })
        }
        health.add(to: router)
        metrics.add(to: router)
        BatchRoutes(mailroom: mailroom, pendingIntake: pendingIntake, door: door, limits: configuration.batchLimits)
            .add(to: router)
        DeviceRoutes(mailroom: mailroom).add(to: router)
        NotificationRoutes(mailroom: mailroom).add(to: router)
        AppRoutes(mailroom: mailroom).add(to: router)
        KeyRoutes(mailroom: mailroom).add(to: router)
        FaultRoutes(mailroom: mailroom).add(to: router)
        NamespaceRoutes(mailroom: mailroom).add(to: router)
        return router
    }
}
