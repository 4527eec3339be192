internal import DeviceModel
internal import ServiceLifecycle
internal import WaypostSchema

/// A device with everything that keeps it going.
struct RunningDevice: Sendable {
    let store: DeviceStore
    let associations: AssociationChecks
    let session: GatewaySession
    let deadlines: DeviceDeadlines
    let sources: AgentSources

    /// Lets something happen, and what follows from it for those around the device.
    ///
    /// - Returns: what the device does about it.
    /// - Throws: `AgentError.cannotKeep`.
    func happen(_ event: DeviceEvent) async throws -> DeviceReaction {
        let former = store.model
        let reaction = try await store.apply([event], at: sources.now()).first
        let model = store.model
        let gone = former.appIdentifiers.subtracting(model.appIdentifiers)
        for app in gone.union(Self.replaced(by: event, reaction)) { store.processes.end(app, for: .removed) }
        store.credentials.remove(gone)
        if store.notice != GatewayNotice(former) { await session.untilGatewayIsTold() }
        return reaction ?? DeviceReaction(effects: [])
    }

    /// The apps that are other versions now, whose processes know of scenes that are no more.
    private static func replaced(by event: DeviceEvent, _ reaction: DeviceReaction?) -> Set<BundleIdentifier> {
        let isIgnored = reaction?.effects.contains { if case .eventIgnored = $0 { true } else { false } } ?? true
        guard !isIgnored else { return [] }
        switch event {
        case .appInstalled(let app): return [app.bundleIdentifier]
        case .deviceDescribed(let description): return Set(description.apps.map(\.bundleIdentifier))
        default: return []
        }
    }

    /// Notes that a process has left, and lets go of its attribution views; where another one has taken its place, that is
    /// done.
    func leave(_ attachment: AppProcesses.Attachment) async {
        store.processes.detach(attachment)
        guard !store.processes.running.contains(attachment.app) else { return }
        await releaseViews(of: attachment.app)
    }

    /// Lets go of the attribution views of an app.
    func releaseViews(of app: BundleIdentifier) async {
        let views = store.model.allViews.filter { $0.app == app }
        guard !views.isEmpty else { return }
        // Where it cannot be written, the next process of the app finds them.
        _ = try? await store.apply(views.map { .attributionReleased(app, $0.view) }, at: sources.now())
    }

    /// Lets happen what falls due by now; domains that are to be asked have answered, or failed.
    func passTime() async throws {
        await associations.check(store.model.domainsToAsk(at: sources.now()))
        while let next = store.nextDeadline, next <= sources.now() {
            _ = try await store.apply([.timePassed], at: sources.now())
            guard store.nextDeadline != next else { return }
        }
    }

    /// Lets something happen that has to change something.
    ///
    /// - Returns: what the device does about it.
    /// - Throws: `AgentError.ignored` where nothing changed.
    func change(_ event: DeviceEvent) async throws -> [DeviceEffect] {
        let effects = try await happen(event).effects
        for case .eventIgnored(let ignored) in effects { throw AgentError.ignored(ignored) }
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
