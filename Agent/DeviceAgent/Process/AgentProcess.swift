internal import AssociationFetching
internal import AsyncHTTPClient
internal import DeviceJournal
internal import DeviceModel
internal import Foundation
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

    /// Runs until SIGTERM, SIGINT or the task's graceful shutdown.
    ///
    /// - Parameter onReady: called once the device is connected for the first time and the control API accepts
    ///   connections, after the ready file is written.
    /// - Throws: `DescriptionError` if the description cannot be used, `AgentStartError` if the agent cannot start,
    ///   `AssociationFailure` if the certificates for fetching association files cannot be read.
    package func run(onReady: @escaping @Sendable (AgentReadyFile) -> Void = { _ in }) async throws {
        for address in [configuration.control, configuration.apps] where await address.isTaken {
            throw AgentStartError.addressInUse([address])
        }
        let kept = try configuration.data.map { path throws(AgentStartError) in try DeviceFolder.open(path) }
        if let lost = kept?.kept.lost, lost > 0 {
            logger.notice("the journal's end was incomplete and is removed", metadata: ["bytes": "\(lost)"])
        }
        let fetcher = try AssociationFetcher(configuration: configuration.associationFetching)
        let devices: (first: DeviceStore, copies: [DeviceStore])
        do {
            devices = try await self.devices(in: kept)
        } catch {
            try await fetcher.shutdown()
            throw error
        }
        for device in [devices.first] + devices.copies {
            sources.manualClock?.move(to: device.lastEvent)
            // No process is attached yet, so no process can own a view.
            _ = try? await device.apply(
                device.model.allViews.map { .attributionReleased($0.app, $0.view) },
                at: sources.now()
            )
        }
        let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .waypost)
        let (steps, step) = AsyncStream.makeStream(of: AgentReadyAnnouncement.Step.self)
        let fleet = Fleet(
            start(devices.first, http, fetcher, telling: step),
            copies: devices.copies.map { start($0, http, fetcher, telling: nil) }
        )
        let announcement = AgentReadyAnnouncement(readyFile: configuration.readyFile, steps: steps, onReady: onReady)
        let apis = apis(of: fleet, step) { start($0, http, fetcher, telling: nil) }
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await ServiceGroup.run([announcement] + apis + [fleet], logger: logger))
        } catch let error as IOError {
            outcome = .failure(AgentStartError(error, listeningAt: [configuration.control, configuration.apps]))
        } catch {
            outcome = .failure(error)
        }
        try await fleet.shutDown()
        try await http.shutdown()
        try await fetcher.shutdown()
        try outcome.get()
    }

    /// Returns the device of the configuration, and its stored copies.
    private func devices(
        in kept: (folder: DeviceFolder, kept: KeptDevice)?
    ) async throws -> (first: DeviceStore, copies: [DeviceStore]) {
        let first = try DeviceStore(configuration.device, in: kept?.folder, kept?.kept, at: sources.now())
        var copies: [DeviceStore] = []
        do {
            var folders = try kept?.folder.copies() ?? []
            while let next = folders.popLast() {
                folders += try next.folder.copies()
                // An unfinished copy still has the name of its original.
                let names = ([first] + copies).map(\.name)
                guard let copy = DeviceStore(copyIn: next.folder, next.kept, besides: names) else { continue }
                copies.append(copy)
            }
        } catch {
            for device in [first] + copies { try await device.shutDown() }
            throw error
        }
        return (first, copies)
    }

    /// Creates the services of a device, which report their first steps to `step`, if given.
    private func start(
        _ device: DeviceStore,
        _ http: HTTPClient,
        _ fetcher: AssociationFetcher,
        telling step: AsyncStream<AgentReadyAnnouncement.Step>.Continuation?
    ) -> RunningDevice {
        let checks = AssociationChecks(
            device: device,
            fetcher: fetcher,
            development: configuration.developmentAssociations,
            sources: sources,
            logger: logger
        ) {
            step?.yield(.associationsChecked)
        }
        let client = GatewayClient(
            http,
            service: configuration.service,
            courier: configuration.courier,
            adminToken: configuration.adminToken
        )
        let session = GatewaySession(device: device, client: client, sources: sources, logger: logger) {
            step?.yield(.deviceConnected)
        }
        // A device in Airplane Mode is ready without a connection.
        if device.model.isInAirplaneMode { step?.yield(.deviceConnected) }
        let deadlines = DeviceDeadlines(device: device, sources: sources, logger: logger)
        return RunningDevice(
            store: device,
            associations: checks,
            session: session,
            deadlines: deadlines,
            sources: sources
        )
    }

    private func apis(
        of fleet: Fleet,
        _ step: AsyncStream<AgentReadyAnnouncement.Step>.Continuation,
        start: @escaping @Sendable (DeviceStore) -> RunningDevice
    ) -> [any Service] {
        let appsURL = AppsURL()
        let control = ControlAPI(
            fleet: fleet,
            address: configuration.control,
            appsURL: appsURL,
            sources: sources,
            logger: logger,
            start: start,
            onListening: { step.yield(.controlListens($0)) }
        )
        let apps = AppAPI(fleet: fleet, address: configuration.apps, sources: sources, logger: logger) { url in
            appsURL.url = url
            step.yield(.appsListen(url))
        }
        return [control.application(), apps.application()]
    }
}
