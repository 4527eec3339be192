internal import GatewayStore
package import Logging
internal import NIOCore
internal import ServiceLifecycle
internal import UnixSignals
package import WaypostSchema

/// A gateway: the listeners, and the store and streams behind them.
package struct Gateway: Sendable {
    private let configuration: GatewayConfiguration
    private let sources: GatewaySources
    private let logger: Logger

    /// Creates a gateway; its store is opened when it runs.
    package init(configuration: GatewayConfiguration, sources: GatewaySources, logger: Logger) {
        self.configuration = configuration
        self.sources = sources
        self.logger = logger
    }

    /// Serves until SIGTERM, SIGINT or the task's graceful shutdown, and then ends streams and answers what was asked.
    ///
    /// - Parameter onReady: called once all listeners accept connections; the ready file is written before.
    /// - Throws: `StartFault` where the gateway cannot start.
    package func run(onReady: @escaping @Sendable (GatewayReadyFile) -> Void = { _ in }) async throws {
        try StartFault.checkLoopback(configuration.host)
        let store = try OpenedGatewayStore(configuration.store, logRetention: configuration.logRetention, logger: logger)
        do {
            try await serve(store.store, onReady)
        } catch {
            try? store.close()
            throw error
        }
        try store.close()
    }

    private func serve(
        _ store: any GatewayStore,
        _ onReady: @escaping @Sendable (GatewayReadyFile) -> Void
    ) async throws {
        var groupConfiguration = ServiceGroupConfiguration(
            services: try await services(store, onReady),
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        // A client that never finishes its request is not waited for longer.
        groupConfiguration.maximumGracefulShutdownDuration = .seconds(5)
        let services = ServiceGroup(configuration: groupConfiguration)
        do {
            try await services.run()
        } catch is CancellationError where !Task.isCancelled {
            // The shutdown was asked for, and a client that did not finish was not waited for.
        } catch let error as IOError {
            let address = "\(configuration.host):\(configuration.servicePort)"
            throw StartFault(error, binding: "the service listener's \(address)")
        }
    }

    /// The services, in the order in which they start; they are asked to go in the opposite one.
    private func services(
        _ store: any GatewayStore,
        _ onReady: @escaping @Sendable (GatewayReadyFile) -> Void
    ) async throws -> [any Service] {
        let clocks = GatewayClocks(configuration.clock, store: store, sources: sources)
        let mailroom = Mailroom(
            store: store,
            clocks: clocks,
            sources: sources,
            sessions: DeviceSessions(limits: configuration.sessionLimits, redelivery: configuration.redelivery),
            metrics: GatewayMetrics(),
            logger: logger
        )
        for namespace in try await mailroom.namespaces() { mailroom.noteActive(namespace.name) }
        let pendingIntake = PendingIntake(mailroom, limits: configuration.batchLimits)
        let (listeners, listening) = AsyncStream.makeStream(of: ReadyAnnouncement.Listener.self)
        let service = ServiceListener(
            mailroom: mailroom,
            pendingIntake: pendingIntake,
            door: IntakeDoor(configuration.intakeLimits),
            configuration: configuration,
            logger: logger
        ) { port in listening.yield(.service(port: port)) }
        let courier = CourierListener(mailroom: mailroom, configuration: configuration, logger: logger) { port in
            listening.yield(.courier(port: port))
        }
        let announcement = ReadyAnnouncement(
            host: configuration.host,
            data: configuration.store.folder,
            readyFile: configuration.readyFile,
            listeners: listeners,
            onReady: onReady
        )
        var services: [any Service] = [
            announcement, FollowUpService(mailroom: mailroom), pendingIntake, courier, service.application(),
        ]
        if configuration.clock == .system {
            services.append(Sweeper(mailroom: mailroom, interval: configuration.sweepInterval))
        }
        return services
    }
}
