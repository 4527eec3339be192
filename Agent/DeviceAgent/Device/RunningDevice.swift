internal import DeviceModel
internal import ServiceLifecycle
internal import WaypostSchema

/// A device that runs: its `DeviceStore` and the services that connect it to the gateway and to time.
struct RunningDevice: Sendable {
    let store: DeviceStore
    let associationChecks: AssociationChecks
    let session: GatewaySession
    let outbox: OutboxDelivery
    let tokenRegistrar: TokenRegistrar
    let deadlines: DeviceDeadlines
    let journalWatch: JournalWatch
    let sources: AgentSources

    /// Applies an event, and updates processes, credentials and the gateway after it.
    ///
    /// - Returns: the device's reaction.
    /// - Throws: `AgentError.journalWriteFailed` if the journal cannot store the event.
    func apply(_ event: DeviceEvent) async throws -> DeviceReaction {
        let previous = store.model
        let reaction = try await store.apply([event], at: sources.now()).first
        let model = store.model
        let removedApps = previous.appIdentifiers.subtracting(model.appIdentifiers)
        for app in removedApps.union(Self.installedApps(by: event, reaction)) {
            store.processes.detachAll(of: app, for: .removed)
        }
        if case .system(.appForceQuit(let app)) = event {
            store.processes.detachAll(of: app, role: .app, for: .forceQuit)
        }
        store.appCredentials.remove(removedApps)
        if store.deliveryConditions != DeliveryConditions(previous) { await session.waitUntilRegistrationIsCurrent() }
        if model.tokens != previous.tokens { await tokenRegistrar.waitUntilTokensAreSettled() }
        return reaction ?? DeviceReaction(effects: [])
    }

    /// Returns the apps that an event installed, also over themselves: the scenes of their processes no longer exist.
    private static func installedApps(by event: DeviceEvent, _ reaction: DeviceReaction?) -> Set<BundleIdentifier> {
        let isIgnored =
            reaction?.effects.contains { if case .system(.eventIgnored) = $0 { true } else { false } } ?? true
        guard !isIgnored else { return [] }
        switch event {
        case .system(.appInstalled(let app)): return [app.bundleIdentifier]
        case .system(.deviceDescribed(let description)): return Set(description.apps.map(\.bundleIdentifier))
        default: return []
        }
    }

    /// Removes a process that has disconnected.
    ///
    /// It releases the attribution views of the app, unless another process has replaced this one and has released them
    /// already.
    func remove(_ attachment: AppProcesses.Attachment) async {
        store.processes.detach(attachment)
        guard attachment.program.role == .app, !store.processes.runningApps.contains(attachment.app) else { return }
        await releaseViews(of: attachment.app)
    }

    /// Releases the attribution views of an app.
    func releaseViews(of app: BundleIdentifier) async {
        let views = store.model.allViews.filter { $0.app == app }
        guard !views.isEmpty else { return }
        // If the journal cannot store this, the next process of the app finds the views.
        _ = try? await store.apply(views.map { .attribution(.attributionReleased(app, $0.view)) }, at: sources.now())
    }

    /// Applies everything that is due by now, after the due domains have answered or failed.
    func applyDueChanges() async throws {
        await associationChecks.check(store.model.filesToCheck(at: sources.now()))
        while let next = store.nextDeadline, next <= sources.now() {
            _ = try await store.apply([.system(.timePassed)], at: sources.now())
            guard store.nextDeadline != next else { return }
        }
    }

    /// Applies an event that must change something.
    ///
    /// - Returns: the effects on the device.
    /// - Throws: `AgentError.ignored` if nothing changed.
    func applyOrThrow(_ event: DeviceEvent) async throws -> [DeviceEffect] {
        let effects = try await apply(event).effects
        for case .system(.eventIgnored(let ignored)) in effects { throw AgentError.ignored(ignored) }
        return effects
    }

    /// Runs the services of the device until a graceful shutdown.
    func run() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { try await session.run() }
            group.addTask { try await outbox.run() }
            group.addTask { try await tokenRegistrar.run() }
            group.addTask { try await associationChecks.run() }
            group.addTask { try await deadlines.run() }
            group.addTask { try await journalWatch.run() }
        }
    }
}
