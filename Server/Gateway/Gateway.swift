internal import Foundation
package import GatewayStore
internal import LocalAuthority
internal import LocalService
package import Logging
internal import NIOCore
package import PrometheusMetrics
internal import ServiceLifecycle
package import WaypostSchema

/// A gateway: its listeners, its store and its event streams.
package struct Gateway: Sendable {
    private let configuration: GatewayConfiguration
    private let sources: GatewaySources
    private let metrics: PrometheusMetrics
    private let adminToken: String?
    private let store: (any GatewayStore)?
    private let releaseMemory: @Sendable () -> Void
    private let logger: Logger

    /// The time between two checks for the end of a burst.
    private static let memoryReleaseInterval = Duration.seconds(1)

    /// The resources that are opened before a gateway serves.
    private struct Resources {
        let store: any GatewayStore
        let serviceSecurity: ListenerSecurity
        let courierSecurity: ListenerSecurity
        let providerSecurity: ListenerSecurity

        /// The authorities that sign providers' certificates, or `nil` if providers are not asked for one.
        let providerAuthorities: ProviderAuthorities?

        /// The authority that has signed the provider listener's certificate, or `nil` if it is not the gateway's own.
        let authority: AuthorityFolder?
        let metrics: GatewayMetrics
        let health: HealthMonitor

        /// The token that the service listener requires, or `nil` if it requires none.
        let token: AdminToken?
    }

    /// Creates a gateway; its store is opened when it runs.
    ///
    /// - Parameters:
    ///   - configuration: the gateway's configuration.
    ///   - sources: the sources of time and randomness.
    ///   - metrics: the metrics that `/metrics` shows; each gateway of a process has its own.
    ///   - adminToken: the administrative token, if it is not the one in the data folder.
    ///   - store: an open store, in place of the one that the configuration chooses.
    ///   - releaseMemory: gives freed memory back to the system; called after a burst of batches.
    ///   - logger: the gateway's logger.
    package init(
        configuration: GatewayConfiguration,
        sources: GatewaySources,
        metrics: PrometheusMetrics = PrometheusMetrics(),
        adminToken: String? = nil,
        store: (any GatewayStore)? = nil,
        releaseMemory: @escaping @Sendable () -> Void = {},
        logger: Logger
    ) {
        self.configuration = configuration
        self.sources = sources
        self.metrics = metrics
        self.adminToken = adminToken
        self.store = store
        self.releaseMemory = releaseMemory
        self.logger = logger.addingRequestMetadata
    }

    /// Serves until the task's graceful shutdown, then ends streams and answers pending requests.
    ///
    /// - Parameter onReady: called once all listeners accept connections, after the ready file is written.
    /// - Throws: `GatewayStartError` if the gateway cannot start.
    package func run(onReady: @escaping @Sendable (GatewayReadyFile) -> Void = { _ in }) async throws {
        if let error = configuration.unprotectedListeners.values.first { throw error }
        if let trust = configuration.trustDescription { logger.warning("the network is trusted: \(trust)") }
        let serviceSecurity = try ListenerSecurity(configuration.serviceTLS, protocols: ["http/1.1"])
        let courierSecurity = try ListenerSecurity(configuration.courierTLS, protocols: ["http/1.1"])
        let authority = try prepareAuthority()
        let providerAuthorities = try providerAuthorities(authority)
        let providerSecurity = try ListenerSecurity(
            providerTLS(authority),
            protocols: ["h2", "http/1.1"],
            asksForCertificates: providerAuthorities != nil
        )
        let health = HealthMonitor(listeners: Set(configuration.listeners.keys)) { [configuration, logger] in
            logger.record($0, about: configuration.store)
        }
        let metrics = GatewayMetrics(metrics)
        guard let store = try await openStore(health, metrics) else { return }
        do {
            // Once the store is open, the folder exists and belongs to this gateway alone.
            let token = try AdminToken.find(environmentValue: adminToken, configuration: configuration) {
                sources.randomHexadecimal(bytes: 32)
            }
            try await serve(
                Resources(
                    store: store,
                    serviceSecurity: serviceSecurity,
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

    /// Opens the store, or returns `nil` if the gateway is to shut down while it waits for the database.
    private func openStore(_ health: HealthMonitor, _ metrics: GatewayMetrics) async throws -> (any GatewayStore)? {
        if let store { return store }
        do {
            return try await cancelWhenGracefulShutdown { [configuration, logger] in
                try await configuration.store.open(
                    logRetention: configuration.logRetention,
                    wait: configuration.databaseWait,
                    logger: logger
                ) { commit in
                    health.record(commit)
                    metrics.record(commit)
                }
            }
        } catch is CancellationError where !Task.isCancelled {
            return nil
        }
    }

    /// Creates the authority that signs the TLS certificates for providers, unless it exists, and returns it.
    private func prepareAuthority() throws -> AuthorityFolder? {
        guard configuration.provider != nil || configuration.proxy != nil, configuration.providerTLS == nil else {
            return nil
        }
        guard let path = configuration.authorityFolder else { throw GatewayStartError.noProviderCertificate }
        // Clients that read the ready file have other current folders.
        let folder = AuthorityFolder(path: URL(filePath: path).standardizedFileURL.path)
        do throws(AuthorityFolder.FolderError) {
            let isNew = try folder.prepare(
                for: configuration.allowedHosts.names,
                LocalAuthority.Sources(
                    now: { [sources] in Date(timeIntervalSince1970: Double(sources.now().rawValue) / 1_000) },
                    randomBytes: { [sources] in sources.randomBytes($0) }
                )
            )
            if isNew {
                logger.notice(
                    "created a certificate authority",
                    metadata: ["trust": "\(folder.authorityCertificatePath)"]
                )
            }
            return folder
        } catch {
            throw GatewayStartError.cannotUseAuthority(error.description)
        }
    }

    private func providerTLS(_ authority: AuthorityFolder?) -> TLSFiles? {
        configuration.providerTLS
            ?? authority.map { TLSFiles(certificate: $0.serverCertificatePath, key: $0.serverKeyPath) }
    }

    private func providerAuthorities(_ authority: AuthorityFolder?) throws(GatewayStartError) -> ProviderAuthorities? {
        guard let path = configuration.providerAuthorities ?? authority?.authorityCertificatePath else { return nil }
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
            throw GatewayStartError(error, binding: .service, to: configuration.service)
        }
    }

    /// The services, in their order of start; they shut down in reverse order.
    private func services(
        _ resources: Resources,
        _ onReady: @escaping @Sendable (GatewayReadyFile) -> Void
    ) async throws -> [any Service] {
        let store = resources.store
        let gateway = GatewayServices(
            store,
            configuration,
            authorities: resources.providerAuthorities,
            sources: sources,
            metrics: resources.metrics,
            logger: logger
        )
        try await gateway.load()
        let (listeners, listening) = AsyncStream.makeStream(of: (listener: GatewayListener?, port: Int).self)
        let health = resources.health
        let recordListening: @Sendable (GatewayListener?, Int) -> Void = { [configuration] listener, port in
            if let listener {
                health.recordListening(listener, at: configuration.remoteURL(of: listener, port: port))
            }
            listening.yield((listener, port))
        }
        let service = ServiceListener(
            gateway: gateway,
            configuration: configuration,
            sources: sources,
            health: HealthRoutes(
                monitor: health,
                delivery: gateway.delivery,
                cluster: gateway.cluster,
                configuration: configuration
            ),
            metrics: MetricsRoutes(gateway: gateway),
            authority: AuthorityRoutes(certificate: resources.authority?.authorityCertificate),
            token: resources.token,
            security: resources.serviceSecurity,
            logger: logger
        ) { recordListening(.service, $0) }
        let courier = CourierListener(
            delivery: gateway.delivery,
            limiter: gateway.limiter,
            security: resources.courierSecurity,
            configuration: configuration,
            logger: logger
        ) { recordListening(.courier, $0) }
        let announcement = ReadyAnnouncement(
            configuration: configuration,
            authority: resources.authority,
            listeners: listeners,
            onReady: onReady
        )
        var services: [any Service] = [
            ClusterService(gateway: gateway, health: health), announcement, FollowUpService(delivery: gateway.delivery),
            AcknowledgementService(delivery: gateway.delivery), StoreEventService(gateway: gateway), gateway.batches,
            courier, gateway.batcher, gateway.channels,
            MemoryRelease(limiter: gateway.limiter, interval: Self.memoryReleaseInterval, release: releaseMemory),
        ]
        services += providerListeners(resources, gateway, onListening: recordListening)
        if let address = configuration.proxy {
            let limits = ProviderLimits(configuration, limiter: gateway.limiter)
            let securePipeline = SecureProviderPipeline(
                resources.providerSecurity,
                gateway.requestHandler,
                limits: limits
            )
            services.append(
                ProxyListener(address: address, securePipeline: securePipeline) { recordListening(.proxy, $0) }
            )
        }
        services.append(try service.application())
        if configuration.clock == .system {
            services.append(
                Sweeper(delivery: gateway.delivery, cluster: gateway.cluster, interval: configuration.sweepInterval)
            )
        }
        services.append(health)
        return services
    }

    /// The configured provider listeners; the port of a further address is not announced.
    private func providerListeners(
        _ resources: Resources,
        _ gateway: GatewayServices,
        onListening: @escaping @Sendable (GatewayListener?, Int) -> Void
    ) -> [ProviderListener] {
        let limits = ProviderLimits(configuration, limiter: gateway.limiter)
        func makeListener(at address: ListenAddress, isSecure: Bool, announced: GatewayListener?) -> ProviderListener {
            ProviderListener(
                address: address,
                security: isSecure ? resources.providerSecurity : nil,
                requestHandler: gateway.requestHandler,
                limits: limits,
                logger: logger
            ) { onListening(announced, $0) }
        }
        let announced = [GatewayListener.provider, .providerPlaintext].compactMap { listener in
            configuration.listeners[listener].map {
                makeListener(at: $0, isSecure: listener == .provider, announced: listener)
            }
        }
        return announced
            + configuration.furtherProviders.map { makeListener(at: $0, isSecure: true, announced: nil) }
    }
}
