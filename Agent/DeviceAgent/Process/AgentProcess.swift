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
        let requestClient = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .waypost)
        let streamClient = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .streams)
        let relayClient = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .relay)
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(
                try await run(
                    requestClient: requestClient,
                    streamClient: streamClient,
                    relayClient: relayClient,
                    fetcher: fetcher,
                    onReady: onReady
                )
            )
        } catch let error as IOError {
            outcome = .failure(AgentStartError(error, listeningAt: [configuration.control, configuration.apps]))
        } catch {
            outcome = .failure(error)
        }
        try await requestClient.shutdown()
        try await streamClient.shutdown()
        try await relayClient.shutdown()
        fetcher.shutdown()
        try outcome.get()
    }

    private func run(
        requestClient: HTTPClient,
        streamClient: HTTPClient,
        relayClient: HTTPClient,
        fetcher: AssociationFetcher,
        onReady: @escaping @Sendable (AgentReadyFile) -> Void
    ) async throws {
        let token: ControlToken? =
            switch configuration.controlToken {
            case .none: nil
            case .random: ControlToken(sources)
            case .fixed(let string): ControlToken(string)
            }
        let (steps, stepsContinuation) = AsyncStream.makeStream(of: AgentReadyAnnouncement.Step.self)
        let announcement = AgentReadyAnnouncement(
            readyFile: configuration.readyFile,
            token: token,
            devices: Set(configuration.devices.map(\.description.name)),
            steps: steps,
            stepsContinuation: stepsContinuation,
            onReady: onReady
        )
        let factory = DeviceFactory(
            configuration: configuration,
            sources: sources,
            logger: logger,
            requestClient: requestClient,
            streamClient: streamClient,
            fetcher: fetcher,
            health: AgentHealth(),
            connectionChanges: ChangeNotifier(),
            startupSteps: stepsContinuation,
            firstConnection: FirstConnection.State(hasAnswered: configuration.connectTimeout == nil)
        )
        let firstConnection = FirstConnection(
            client: factory.client,
            configuration: configuration,
            state: factory.firstConnection,
            sources: sources,
            logger: logger
        )
        guard try await setClock(factory, after: firstConnection) else { return }
        let agentDevices = AgentDevices(try await factory.devicesAtStart(), changes: factory.connectionChanges)
        let (controlURLs, controlURLsContinuation) = AsyncStream.makeStream(of: String.self)
        let link = GatewayLink(
            client: factory.client,
            isTokenRequired: token != nil,
            relayClient: relayClient,
            controlURLs: controlURLs,
            sources: sources,
            logger: logger
        )
        let apis = apis(of: agentDevices, factory, token) { url in
            factory.startupSteps.yield(.controlListens(url))
            controlURLsContinuation.yield(url)
            controlURLsContinuation.finish()
        }
        let services = [announcement] + apis + gatewayClock(for: agentDevices, factory) + [link, agentDevices]
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await ServiceGroup.run(services, guardedBy: [firstConnection], logger: logger))
        } catch {
            outcome = .failure(error)
        }
        try await agentDevices.shutDown()
        try outcome.get()
    }

    /// Sets the clock to that of the gateway if the agent follows it.
    ///
    /// - Returns: `false` if the shutdown came before the gateway answered.
    private func setClock(_ factory: DeviceFactory, after firstConnection: FirstConnection) async throws -> Bool {
        guard configuration.followsGatewayClock else { return true }
        guard try await firstConnection.waitForGateway() else { return false }
        do {
            let time = try await cancelWhenGracefulShutdown {
                try await GatewayClockFollower.firstReading(of: factory.client, sources, logger)
            }
            sources.manualClock?.move(to: time)
            return true
        } catch is CancellationError where !Task.isCancelled {
            return false
        }
    }

    private func gatewayClock(for agentDevices: AgentDevices, _ factory: DeviceFactory) -> [any Service] {
        guard configuration.followsGatewayClock, let clock = sources.manualClock else { return [] }
        return [
            GatewayClockFollower(
                clock: clock,
                client: factory.client,
                agentDevices: agentDevices,
                sources: sources,
                logger: logger,
                identifier: String(sources.randomBits64(), radix: 16)
            )
        ]
    }

    private func apis(
        of agentDevices: AgentDevices,
        _ factory: DeviceFactory,
        _ token: ControlToken?,
        onControl: @escaping @Sendable (_ url: String) -> Void
    ) -> [any Service] {
        let appAPIURL = AppAPIURL()
        let control = ControlAPI(
            agentDevices: agentDevices,
            factory: factory,
            address: configuration.control,
            token: token,
            appAPIURL: appAPIURL,
            sources: sources,
            logger: logger,
            onListening: onControl
        )
        let apps = AppAPI(
            agentDevices: agentDevices,
            address: configuration.apps,
            allowedHosts: configuration.allowedHosts,
            sources: sources,
            logger: logger
        ) { url in
            appAPIURL.current = url
            factory.startupSteps.yield(.appsListen(url))
        }
        return [control.application(), apps.application()]
    }
}
