internal import AssociationFetching
internal import AsyncHTTPClient
internal import GatewayClient
internal import LocalService
package import Logging
internal import NIOCore
internal import ServiceLifecycle
package import WaypostSchema

/// An agent: its devices, their sessions with the gateway, and its APIs.
package struct AgentProcess: Sendable {
    private let configuration: AgentConfiguration
    private let sources: AgentSources
    private let logger: Logger

    /// Creates an agent, which does not run yet.
    package init(configuration: AgentConfiguration, sources: AgentSources, logger: Logger) {
        self.configuration = configuration
        self.sources = sources
        self.logger = logger
    }

    /// Runs until the task's graceful shutdown.
    ///
    /// - Parameter onReady: called once the devices of the configuration are connected for the first time and the APIs
    ///   accept connections, after the ready file is written.
    /// - Throws: `DescriptionError` if a description cannot be used, `AgentStartError` if the agent cannot start,
    ///   `AssociationFailure` if the certificates for fetching association files cannot be read.
    package func run(onReady: @escaping @Sendable (AgentReadyFile) -> Void = { _ in }) async throws {
        for address in [configuration.control, configuration.apps] where await address.isTaken {
            throw AgentStartError.addressInUse([address])
        }
        let fetcher = try AssociationFetcher(configuration: configuration.associationFetching)
        let calls = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .waypost)
        let streams = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .streams)
        let relay = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .relay)
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await run(calls, streams, relay: relay, fetcher: fetcher, onReady: onReady))
        } catch let error as IOError {
            outcome = .failure(AgentStartError(error, listeningAt: [configuration.control, configuration.apps]))
        } catch {
            outcome = .failure(error)
        }
        try await calls.shutdown()
        try await streams.shutdown()
        try await relay.shutdown()
        try await fetcher.shutdown()
        try outcome.get()
    }

    private func run(
        _ calls: HTTPClient,
        _ streams: HTTPClient,
        relay: HTTPClient,
        fetcher: AssociationFetcher,
        onReady: @escaping @Sendable (AgentReadyFile) -> Void
    ) async throws {
        let token: ControlToken? =
            switch configuration.controlToken {
            case .none: nil
            case .random: ControlToken(sources)
            case .given(let text): ControlToken(text)
            }
        let (steps, step) = AsyncStream.makeStream(of: AgentReadyAnnouncement.Step.self)
        let announcement = AgentReadyAnnouncement(
            readyFile: configuration.readyFile,
            token: token,
            devices: Set(configuration.devices.map(\.description.name)),
            steps: steps,
            source: step,
            onReady: onReady
        )
        let factory = DeviceFactory(
            configuration: configuration,
            sources: sources,
            logger: logger,
            calls: calls,
            streams: streams,
            fetcher: fetcher,
            health: AgentHealth(),
            connections: ChangeNotifier(),
            step: step
        )
        guard try await setClock(factory) else { return }
        let fleet = AgentDevices(try await factory.devicesAtStart(), changes: factory.connections)
        let (controls, control) = AsyncStream.makeStream(of: String.self)
        let link = GatewayLink(
            client: factory.client,
            isTokenRequired: token != nil,
            http: relay,
            control: controls,
            sources: sources,
            logger: logger
        )
        let apis = apis(of: fleet, factory, token) { url in
            factory.step.yield(.controlListens(url))
            control.yield(url)
            control.finish()
        }
        let services = [announcement] + apis + gatewayClock(for: fleet, factory) + [link, fleet]
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await ServiceGroup.run(services, logger: logger))
        } catch {
            outcome = .failure(error)
        }
        try await fleet.shutDown()
        try outcome.get()
    }

    /// Sets the clock to that of the gateway if the agent follows it.
    ///
    /// - Returns: false if the shutdown came before the gateway answered.
    private func setClock(_ factory: DeviceFactory) async throws -> Bool {
        guard configuration.followsGatewayClock else { return true }
        do {
            let time = try await cancelWhenGracefulShutdown {
                try await GatewayClock.now(of: factory.client, sources, logger)
            }
            sources.manualClock?.move(to: time)
            return true
        } catch is CancellationError where !Task.isCancelled {
            return false
        }
    }

    private func gatewayClock(for fleet: AgentDevices, _ factory: DeviceFactory) -> [any Service] {
        guard configuration.followsGatewayClock, let clock = sources.manualClock else { return [] }
        return [
            GatewayClock(
                clock: clock,
                client: factory.client,
                fleet: fleet,
                sources: sources,
                logger: logger,
                identifier: String(sources.bits(), radix: 16)
            )
        ]
    }

    private func apis(
        of fleet: AgentDevices,
        _ factory: DeviceFactory,
        _ token: ControlToken?,
        onControl: @escaping @Sendable (_ url: String) -> Void
    ) -> [any Service] {
        let appsURL = AppsURL()
        let control = ControlAPI(
            fleet: fleet,
            factory: factory,
            address: configuration.control,
            token: token,
            appsURL: appsURL,
            sources: sources,
            logger: logger,
            onListening: onControl
        )
        let apps = AppAPI(
            fleet: fleet,
            address: configuration.apps,
            allowedHosts: configuration.allowedHosts,
            sources: sources,
            logger: logger
        ) { url in
            appsURL.url = url
            factory.step.yield(.appsListen(url))
        }
        return [control.application(), apps.application()]
    }
}
