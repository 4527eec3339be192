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

    /// Creates a gateway with an empty store.
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
        var groupConfiguration = ServiceGroupConfiguration(
            services: services(onReady),
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

    private func services(_ onReady: @escaping @Sendable (GatewayReadyFile) -> Void) -> [any Service] {
        let mailroom = Mailroom(store: MemoryStore(), sources: sources)
        let (listeners, listening) = AsyncStream.makeStream(of: ReadyAnnouncement.Listener.self)
        let service = ServiceListener(mailroom: mailroom, configuration: configuration, logger: logger) { port in
            listening.yield(.service(port: port))
        }
        let courier = CourierListener(mailroom: mailroom, configuration: configuration, logger: logger) { port in
            listening.yield(.courier(port: port))
        }
        let announcement = ReadyAnnouncement(
            host: configuration.host,
            readyFile: configuration.readyFile,
            listeners: listeners,
            onReady: onReady
        )
        return [announcement, courier, service.application()]
    }
}
