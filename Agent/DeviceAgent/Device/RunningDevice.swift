internal import DeviceModel
internal import ServiceLifecycle
internal import WaypostSchema

/// A device with everything that keeps it going.
struct RunningDevice: Sendable {
    let device: Device
    let associations: AssociationChecks
    let session: GatewaySession
    let deadlines: DeviceDeadlines
    let sources: AgentSources

    /// Lets something happen, and what follows from it for those around the device.
    ///
    /// - Returns: what the device does about it.
    /// - Throws: `AgentFault.cannotKeep`.
    func happen(_ event: DeviceEvent) async throws -> DeviceReaction {
        let former = device.model
        let reaction = try await device.apply([event], at: sources.now()).first
        let model = device.model
        if case .appInstalled(let app) = event { device.processes.end(app.bundleIdentifier, for: .removed) }
        for app in device.processes.running where model.app(app) == nil { device.processes.end(app, for: .removed) }
        device.credentials.keep(only: Set(model.description.apps.map(\.bundleIdentifier)))
        if model.topics != former.topics || model.isInLowPowerMode != former.isInLowPowerMode {
            await session.tellGateway()
        }
        return reaction ?? DeviceReaction(effects: [])
    }

    /// Lets something happen that has to change something.
    ///
    /// - Returns: what the device does about it.
    /// - Throws: `AgentFault.ignored` where nothing changed.
    func change(_ event: DeviceEvent) async throws -> [DeviceEffect] {
        let effects = try await happen(event).effects
        for case .eventIgnored(let ignored) in effects { throw AgentFault.ignored(ignored) }
        return effects
    }

    /// Keeps the device going until a graceful shutdown.
    func run() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { try await session.run() }
            group.addTask { try await associations.run() }
            group.addTask { try await deadlines.run() }
        }
    }
}
