internal import AssociationFetching
internal import AsyncHTTPClient
internal import DeviceJournal
internal import Foundation
internal import GatewayClient
package import Logging
internal import NIOCore
internal import ServiceLifecycle
internal import UnixSignals
package import WaypostSchema

/// An agent: a device, its session with the gateway and its control API.
package struct AgentProcess: Sendable {
    private let configuration: AgentConfiguration
    private let sources: AgentSources
    private let logger: Logger

    /// Creates an agent that is not running.
    package init(configuration: AgentConfiguration, sources: AgentSources, logger: Logger) {
        self.configuration = configuration
        self.sources = sources
        self.logger = logger
    }

    /// Runs until SIGTERM, SIGINT or the task's graceful shutdown.
    ///
    /// - Parameter onReady: called once the device is connected for the first time and the control API accepts
    ///   connections; the ready file is written before.
    /// - Throws: `DescriptionFault` where there can be no such device, `AgentStartFault` where the agent cannot start,
    ///   `AssociationFailure` where there is no fetching association files.
    package func run(onReady: @escaping @Sendable (AgentReadyFile) -> Void = { _ in }) async throws {
        let folder = try configuration.data.map { path throws(AgentStartFault) in try DeviceFolder(path) }
        if let lost = folder?.found.lost, lost > 0 {
            logger.notice("the journal's end was not whole and is cut off", metadata: ["bytes": "\(lost)"])
        }
        let device = try Device(configuration.device, in: folder, at: sources.now())
        let fetcher = try AssociationFetcher(configuration: configuration.associationFetching)
        let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .waypost)
        var groupConfiguration = ServiceGroupConfiguration(
            services: services(device, http, fetcher, onReady),
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        // A client of the control API that never finishes its request is not waited for longer.
        groupConfiguration.maximumGracefulShutdownDuration = .seconds(5)
        let services = ServiceGroup(configuration: groupConfiguration)
        let outcome: Result<Void, any Error>
        do {
            try await services.run()
            outcome = .success(())
        } catch is CancellationError where !Task.isCancelled {
            // The shutdown was asked for, and a client that did not finish was not waited for.
            outcome = .success(())
        } catch let error as IOError {
            outcome = .failure(AgentStartFault(error, port: configuration.controlPort))
        } catch {
            outcome = .failure(error)
        }
        try await device.shutDown()
        try await http.shutdown()
        try await fetcher.shutdown()
        try outcome.get()
    }

    private func services(
        _ device: Device,
        _ http: HTTPClient,
        _ fetcher: AssociationFetcher,
        _ onReady: @escaping @Sendable (AgentReadyFile) -> Void
    ) -> [any Service] {
        let (steps, step) = AsyncStream.makeStream(of: AgentReadyAnnouncement.Step.self)
        let checks = AssociationChecks(
            device: device,
            fetcher: fetcher,
            development: configuration.developmentAssociations,
            sources: sources,
            logger: logger
        ) {
            step.yield(.associationsChecked)
        }
        let client = GatewayClient(
            http,
            service: configuration.service,
            courier: configuration.courier,
            adminToken: configuration.adminToken
        )
        let session = GatewaySession(device: device, client: client, sources: sources, logger: logger) {
            step.yield(.deviceConnected)
        }
        let control = ControlAPI(
            device: device,
            associations: checks,
            onTopicsChanged: { await session.tellTopics() },
            port: configuration.controlPort,
            sources: sources,
            logger: logger,
            onListening: { step.yield(.controlListens(port: $0)) }
        )
        let announcement = AgentReadyAnnouncement(readyFile: configuration.readyFile, steps: steps, onReady: onReady)
        let deadlines = DeviceDeadlines(device: device, sources: sources, logger: logger)
        return [announcement, control.application(), session, checks, deadlines]
    }
}
