internal import GatewayStore
internal import LocalAuthority
internal import Logging
internal import WaypostSchema

/// The services of a gateway, one for each concern; each uses those before it.
struct GatewayServices: Sendable {
    let delivery: DeliveryService
    let cluster = Cluster()
    let devices: DeviceRegistry
    let batches: BatchService
    let limiter: IntakeLimiter
    let log: DeliveryLogReader
    let channels: ChannelService
    let keys: ProviderKeyService
    let faults: FaultInjector
    let senders: SenderRecorder
    let agents = AgentLinks()
    let runs: ReportedRuns
    let namespaces: NamespaceService
    let batcher: ProviderBatcher
    let requestHandler: ProviderRequestHandler

    /// Creates the services of a gateway that keeps its notifications in `store`.
    init(
        _ store: any GatewayStore,
        _ configuration: GatewayConfiguration,
        authorities: ProviderAuthorities?,
        sources: GatewaySources,
        metrics: GatewayMetrics,
        logger: Logger
    ) {
        let clocks = NamespaceClocks(configuration.clock, store: store, sources: sources)
        delivery = DeliveryService(
            store: StoreAccess(store: store, clocks: clocks, logger: logger),
            sessions: DeviceSessions(limits: configuration.sessionLimits, redelivery: configuration.redelivery),
            metrics: metrics
        )
        devices = DeviceRegistry(delivery: delivery, sources: sources)
        batches = BatchService(
            delivery,
            limits: configuration.batchLimits,
            missingExpiration: configuration.missingExpiration,
            sources: sources
        )
        limiter = IntakeLimiter(configuration.intakeLimits)
        log = DeliveryLogReader(delivery: delivery)
        runs = ReportedRuns(sources: sources)
        senders = SenderRecorder(sources: sources, recordedRequests: configuration.recordedRequests)
        channels = ChannelService(devices)
        keys = ProviderKeyService(store: delivery.store, keys: ProviderKeys(), isStrict: configuration.isStrict)
        faults = FaultInjector(delivery.store, metrics: metrics, sources: sources)
        namespaces = NamespaceService(
            batches: batches,
            channels: channels,
            faults: faults,
            keys: keys,
            senders: senders
        )
        batcher = ProviderBatcher(devices, rate: configuration.deviceRate)
        requestHandler = ProviderRequestHandler(
            batcher,
            channels,
            faults: faults,
            keys: keys.keys,
            senders: senders,
            authorities: authorities,
            configuration: configuration
        )
    }

    /// Copies from the store what requests need at once: the keys, the devices with faults, and the namespaces.
    func load() async throws(GatewayError) {
        try await keys.load()
        try await faults.load()
        try await recordNamespaces()
    }

    /// Records that notifications may expire in all namespaces of the store.
    func recordNamespaces() async throws(GatewayError) {
        for namespace in try await namespaces.list() { delivery.recordActive(namespace.name) }
    }
}
