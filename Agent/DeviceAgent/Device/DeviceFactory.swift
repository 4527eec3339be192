internal import AssociationFetching
internal import AsyncHTTPClient
internal import DeviceModel
internal import Foundation
internal import GatewayClient
internal import LocalService
internal import Logging
internal import WaypostSchema

/// Creates the devices of an agent, with their services.
struct DeviceFactory: Sendable {
    let configuration: AgentConfiguration
    let sources: AgentSources
    let logger: Logger

    /// The client for requests.
    let requestClient: HTTPClient

    /// The client for event streams.
    let streamClient: HTTPClient

    let fetcher: AssociationFetcher

    /// The health of the agent, which includes the losses that were found at the start.
    let health: AgentHealth

    /// Notifies waiters when a device connects to the gateway or disconnects.
    let connectionChanges: ChangeNotifier<Unkeyed>

    /// Receives the steps that the devices complete before the agent is ready.
    let startupSteps: AsyncStream<AgentReadyAnnouncement.Step>.Continuation

    /// Whether a gateway has answered since the agent started.
    let firstConnection: FirstConnection.State

    /// The client of the gateway.
    var client: GatewayClient {
        GatewayClient(
            requestClient,
            streams: streamClient,
            service: configuration.service,
            courier: configuration.courier,
            adminToken: configuration.adminToken,
            namespace: configuration.namespace
        )
    }

    private var dataFolder: DataFolder? {
        configuration.data.map { DataFolder($0) }
    }

    /// Returns the devices of the configuration, followed by the other stored ones.
    ///
    /// - Throws: `DescriptionError` if a description cannot be used, `AgentStartError` if the data folder cannot be
    ///   used.
    func devicesAtStart() async throws -> [RunningDevice] {
        var (stored, losses) = try dataFolder?.loadDevices() ?? ([], [])
        for loss in losses { logger.error("\(loss)") }
        health.record(losses)
        var devices: [RunningDevice] = []
        let isNew = stored.isEmpty
        for configured in configuration.devices {
            let description = configured.description
            let store: DeviceStore
            if let index = stored.firstIndex(where: { $0.name == description.name }) {
                store = try DeviceStore(stored.remove(at: index), as: description, at: sources.now())
            } else {
                _ = try DeviceModel(description)
                let folder = try dataFolder?.create(for: description.name, isFirst: isNew && devices.isEmpty)
                store = try DeviceStore(description, in: folder, at: sources.now())
            }
            devices.append(makeRunningDevice(store, associations: configured.developmentAssociations))
        }
        for device in stored {
            // The path of the device file is not stored.
            let configured = try? ConfiguredDevice(device.replayedDevice.model.description, relativeTo: "")
            let store = try DeviceStore(device, as: nil, at: sources.now())
            devices.append(makeRunningDevice(store, associations: configured?.developmentAssociations ?? [:]))
        }
        for device in devices {
            sources.manualClock?.move(to: device.store.lastEventTime)
            // No process is attached yet, so no process can own a view.
            _ = try? await device.store.apply(
                device.store.model.allViews.map { .attribution(.attributionReleased($0.app, $0.view)) },
                at: sources.now()
            )
        }
        return devices
    }

    /// Creates devices, all or none.
    ///
    /// - Throws: `DescriptionError` if a description cannot be used, or `AgentError.journalWriteFailed` if a device
    ///   cannot be stored.
    func create(_ devices: [ConfiguredDevice]) async throws -> [RunningDevice] {
        for device in devices { _ = try DeviceModel(device.description) }
        let now = sources.now()
        var createdDevices: [RunningDevice] = []
        do {
            for device in devices {
                let store = try await DeviceStore.runBlockingWork {
                    let folder = try dataFolder?.create(for: device.description.name)
                    return try DeviceStore(device.description, in: folder, at: now)
                }
                createdDevices.append(makeRunningDevice(store, associations: device.developmentAssociations))
            }
        } catch {
            for device in createdDevices {
                device.store.remove()
                try await device.store.shutDown()
            }
            guard let error = error as? AgentStartError else { throw error }
            throw AgentError.journalWriteFailed("\(error)")
        }
        return createdDevices
    }

    /// Creates a copy of a device.
    ///
    /// - Throws: `AgentError` if there is no such snapshot, or the copy cannot be stored.
    func fork(_ device: RunningDevice, as fork: DeviceFork) async throws -> RunningDevice {
        let copy = try await device.store.fork(named: fork.name, from: fork.snapshot, in: dataFolder, at: sources.now())
        return makeRunningDevice(copy, associations: device.associationChecks.developmentAssociations)
    }

    /// Creates the services of a device.
    ///
    /// - Parameters:
    ///   - device: the device.
    ///   - associations: the replacements for domains during development, by domain.
    /// - Returns: the device with its services.
    private func makeRunningDevice(
        _ device: DeviceStore,
        associations: [String: AssociationLocation]
    ) -> RunningDevice {
        let (name, client, startupSteps, connectionChanges) = (device.name, client, startupSteps, connectionChanges)
        let checks = AssociationChecks(
            device: device,
            fetcher: fetcher,
            developmentAssociations: associations,
            sources: sources,
            logger: logger
        ) {
            startupSteps.yield(.associationsChecked(name))
        }
        let session = GatewaySession(
            device: device,
            client: client,
            sources: sources,
            logger: logger,
            firstConnection: firstConnection
        ) { isConnected in
            if isConnected { startupSteps.yield(.deviceConnected(name)) }
            connectionChanges.notify()
        }
        // A device in Airplane Mode is ready without a connection.
        if device.model.isInAirplaneMode { startupSteps.yield(.deviceConnected(name)) }
        let deadlines = DeviceDeadlines(device: device, sources: sources, logger: logger)
        return RunningDevice(
            store: device,
            associationChecks: checks,
            session: session,
            outbox: OutboxDelivery(device: device, client: client, sources: sources, logger: logger),
            tokenRegistrar: TokenRegistrar(
                device: device,
                client: client,
                sources: sources,
                logger: logger,
                firstSecret: device.credential?.secret
            ),
            deadlines: deadlines,
            journalWatch: JournalWatch(device: device, logger: logger),
            sources: sources
        )
    }
}
