internal import Foundation
internal import GatewayStore
internal import LocalAuthority
internal import LocalService
package import Logging
internal import NIOCore
package import PrometheusMetrics
internal import ServiceLifecycle
package import WaypostSchema

/// A gateway: the listeners, and the store and streams behind them.
package struct Gateway: Sendable {
    private let configuration: GatewayConfiguration
    private let sources: GatewaySources
    private let metrics: PrometheusMetrics
    private let adminToken: String?
    private let logger: Logger

    /// What is opened before a gateway serves.
    private struct Resources {
        let store: SQLiteStore
        let courierSecurity: ListenerSecurity
        let providerSecurity: ListenerSecurity

        /// Who signs providers' certificates; `nil` where they are not asked for any.
        let providerAuthorities: ProviderAuthorities?

        /// Who has signed the provider listener's certificate; `nil` where somebody else has.
        let authority: AuthorityFolder?
        let metrics: GatewayMetrics
        let health: HealthMonitor

        /// What callers of the service listener have to show; `nil` where everybody may call.
        let token: AdminToken?
    }

    /// Creates a gateway; its store is opened when it runs.
    ///
    /// - Parameters:
    ///   - configuration: how it is run.
    ///   - sources: where it takes time and randomness from.
    ///   - metrics: what `/metrics` shows; several gateways of one process have one each.
    ///   - adminToken: the administrative token, if it is not to be the one in the data folder.
    ///   - logger: where it logs.
    package init(
        configuration: GatewayConfiguration,
        sources: GatewaySources,
        metrics: PrometheusMetrics = PrometheusMetrics(),
        adminToken: String? = nil,
        logger: Logger
    ) {
        self.configuration = configuration
        self.sources = sources
        self.metrics = metrics
        self.adminToken = adminToken
        self.logger = logger.namingRequests
    }

    /// Serves until SIGTERM, SIGINT or the task's graceful shutdown, and then ends streams and answers what was asked.
    ///
    /// - Parameter onReady: called once all listeners accept connections; the ready file is written before.
    /// - Throws: `GatewayStartError` where the gateway cannot start.
    package func run(onReady: @escaping @Sendable (GatewayReadyFile) -> Void = { _ in }) async throws {
        for address in configuration.listeners.values where !address.isLoopback {
            throw GatewayStartError.notLoopback(address.host)
        }
        let courierSecurity = try ListenerSecurity(configuration.courierTLS, protocols: ["http/1.1"])
        let authority = try preparedAuthority()
        let providerAuthorities = try providerAuthorities(authority)
        let providerSecurity = try ListenerSecurity(
            providerTLS(authority),
            protocols: ["h2", "http/1.1"],
            asksForCertificates: providerAuthorities != nil
        )
        let health = HealthMonitor(listeners: Set(configuration.listeners.keys))
        let metrics = GatewayMetrics(metrics)
        let store = try configuration.store.open(logRetention: configuration.logRetention, logger: logger) { commit in
            health.note(commit)
            metrics.note(commit)
        }
        do {
            // The folder is there, and nobody else's, once the store is open.
            let token = try AdminToken.find(adminToken, configuration) { sources.randomHexadecimal(bytes: 32) }
            try await serve(
                Resources(
                    store: store,
                    courierSecurity: courierSecurity,
                    providerSecurity: providerSecurity,
                    providerAuthorities: providerAuthorities,
                    authority: authority,
                    metrics: metrics,
                    health: health,
                    token: configuration.authentication == .none ? nil : token
                ),
                onReady
            )
        } catch {
            try? store.close()
            throw error
        }
        try store.close()
    }

    /// The authority that signs for the listeners that speak TLS with providers; made here where it is not there yet.
    private func preparedAuthority() throws -> AuthorityFolder? {
        guard configuration.provider != nil || configuration.proxy != nil, configuration.providerTLS == nil else {
            return nil
        }
        guard let path = configuration.authorityFolder else { throw GatewayStartError.noProviderCertificate }
        let folder = AuthorityFolder(path: path)
        do throws(AuthorityFolder.FolderError) {
            let isNew = try folder.prepare(
                LocalAuthority.Sources(
                    now: { [sources] in Date(timeIntervalSince1970: Double(sources.now().rawValue) / 1_000) },
                    randomBytes: { [sources] in sources.randomBytes($0) }
                )
            )
            if isNew {
                logger.notice("made a certificate authority", metadata: ["trust": "\(folder.authorityCertificate)"])
            }
            return folder
        } catch {
            throw GatewayStartError.cannotUseAuthority(error.description)
        }
    }

    private func providerTLS(_ authority: AuthorityFolder?) -> TLSFiles? {
        configuration.providerTLS
            ?? authority.map { TLSFiles(certificate: $0.serverCertificate, key: $0.serverKey) }
    }

    private func providerAuthorities(_ authority: AuthorityFolder?) throws(GatewayStartError) -> ProviderAuthorities? {
        guard let path = configuration.providerAuthorities ?? authority?.authorityCertificate else { return nil }
        do throws(AuthorityFolder.FolderError) {
            return try ProviderAuthorities(path: path)
        } catch {
            throw GatewayStartError.cannotUseAuthority(error.description)
        }
    }

    private func serve(_ resources: Resources, _ onReady: @escaping @Sendable (GatewayReadyFile) -> Void) async throws {
        do {
            try await ServiceGroup.run(try await services(resources, onReady), logger: logger)
        } catch let error as IOError {
            throw GatewayStartError(error, binding: "the service listener's \(configuration.service)")
        }
    }

    /// The services, in the order in which they start; they are asked to go in the opposite one.
    private func services(
        _ resources: Resources,
        _ onReady: @escaping @Sendable (GatewayReadyFile) -> Void
    ) async throws -> [any Service] {
        let store = resources.store
        let gateway = GatewayServices(
            store,
            configuration,
            resources.providerAuthorities,
            sources: sources,
            metrics: resources.metrics,
            logger: logger
        )
        try await gateway.load()
        let (listeners, listening) = AsyncStream.makeStream(of: (listener: GatewayListener, port: Int).self)
        let health = resources.health
        let note: @Sendable (GatewayListener, Int) -> Void = { [configuration] listener, port in
            health.noteListening(listener, at: configuration.url(of: listener, port: port))
            listening.yield((listener, port))
        }
        let service = ServiceListener(
            gateway: gateway,
            configuration: configuration,
            health: HealthRoutes(monitor: health, store: configuration.store.name) { () async throws(StoreError) in
                try await store.probe()
            },
            metrics: MetricsRoutes(gateway: gateway) { store.waitingItems },
            token: resources.token,
            logger: logger
        ) { note(.service, $0) }
        let courier = CourierListener(
            delivery: gateway.delivery,
            security: resources.courierSecurity,
            configuration: configuration,
            logger: logger
        ) { note(.courier, $0) }
        let announcement = ReadyAnnouncement(
            configuration: configuration,
            authority: resources.authority,
            listeners: listeners,
            onReady: onReady
        )
        var services: [any Service] = [
            announcement, FollowUpService(delivery: gateway.delivery), gateway.batches, courier, gateway.batcher,
            gateway.channels,
        ]
        services += providerListeners(resources, gateway.requests, note)
        if let address = configuration.proxy {
            let limits = ProviderLimits(configuration)
            let pipeline = SecureProviderPipeline(resources.providerSecurity, gateway.requests, limits)
            services.append(ProxyListener(address: address, pipeline: pipeline) { note(.proxy, $0) })
        }
        services.append(service.application())
        if configuration.clock == .system {
            services.append(Sweeper(delivery: gateway.delivery, interval: configuration.sweepInterval))
        }
        services.append(health)
        return services
    }

    /// The provider listeners that there are to be.
    private func providerListeners(
        _ resources: Resources,
        _ requests: ProviderRequestHandler,
        _ note: @escaping @Sendable (GatewayListener, Int) -> Void
    ) -> [ProviderListener] {
        [GatewayListener.provider, .providerPlaintext].compactMap { listener in
            guard let address = configuration.listeners[listener] else { return nil }
            return ProviderListener(
                address: address,
                security: listener == .provider ? resources.providerSecurity : nil,
                requests: requests,
                limits: ProviderLimits(configuration),
                logger: logger
            ) { note(listener, $0) }
        }
    }
}
