internal import DeviceJournal
internal import DeviceModel
internal import LocalService
internal import NIOPosix
internal import Synchronization
internal import WaypostSchema

/// A device of an agent, shared by everything that changes, shows and drives it.
///
/// Events are applied one after another, and only once they are in the journal, if the device has one.
final class DeviceStore: Sendable {
    private struct State {
        var replay: DeviceReplay
        var credential: DeviceCredential?
        var isConnected = false
        var told: GatewayNotice?
        var unheard: GatewayNotice?

        /// The number of entries written since the last snapshot.
        var sinceNote = 0
    }

    let name: String

    /// The number of entries that make a replay long enough for a snapshot.
    private static let longReplay = 1_000

    /// The followers of the device's effects.
    let followers = EffectFollowers()

    /// The notifier for waiters for changes to the device.
    let changes = ChangeNotifier<SingleKey>()

    /// The credentials of processes of its apps.
    let credentials: AppCredentials

    /// The attached processes.
    let processes: AppProcesses

    private let folder: DeviceFolder?
    private let state: Mutex<State>

    /// The thread for blocking work on the disk.
    private let thread = NIOThreadPool(numberOfThreads: 1)

    /// Creates the device from `description`, or from `folder` with the contents `kept`.
    ///
    /// If the description differs from that of the last start, it is applied as an event.
    ///
    /// - Throws: `DescriptionError` if the description cannot be used, `AgentStartError` if the folder cannot be used.
    convenience init(
        _ description: DeviceDescription,
        in folder: DeviceFolder? = nil,
        _ kept: KeptDevice? = nil,
        at now: Timestamp
    ) throws {
        _ = try DeviceModel(description)
        var replay = kept.map { DeviceReplay($0) } ?? DeviceReplay()
        guard !replay.isDescribed || replay.model.name == description.name else {
            throw AgentStartError.cannotUseData(
                "the data folder contains the device '\(replay.model.name)', but the file describes "
                    + "'\(description.name)'; use a separate folder for each device"
            )
        }
        if !replay.isDescribed || folder?.described != description {
            let entry = replay.entry(of: .deviceDescribed(description), at: now)
            try folder?.append([entry])
            folder?.keep(description)
            replay.apply(entry)
        }
        self.init(replay, in: folder, replayed: kept?.entries.count ?? 0)
    }

    /// Creates the device after a replay of `replayed` entries.
    private init(_ replay: DeviceReplay, in folder: DeviceFolder?, replayed: Int) {
        name = replay.model.name
        self.folder = folder
        if replayed >= Self.longReplay { folder?.note(replay) }
        credentials = AppCredentials(folder)
        // Apps that were removed while the agent was stopped lose their credentials.
        credentials.keep(only: replay.model.appIdentifiers)
        processes = AppProcesses(followers)
        state = Mutex(State(replay: replay, credential: folder?.credential))
        thread.start()
    }

    /// Creates a copy from the folder in which `fork` stored it.
    ///
    /// It is `nil` if the folder has no device, or one with the name of another.
    convenience init?(copyIn folder: DeviceFolder, _ kept: KeptDevice, besides names: [String]) {
        let replay = DeviceReplay(kept)
        guard replay.isDescribed, !names.contains(replay.model.name) else { return nil }
        self.init(replay, in: folder, replayed: kept.entries.count)
    }

    /// Releases the system's resources; no more events are applied.
    func shutDown() async throws {
        changes.end()
        followers.end()
        try await thread.shutdownGracefully()
        let (replay, written) = state.withLock { ($0.replay, $0.sinceNote) }
        if written >= Self.longReplay { folder?.note(replay) }
    }

    // MARK: Events

    /// Writes events to the journal, and then applies them one after another.
    ///
    /// - Returns: the device's reaction to each event.
    /// - Throws: `AgentError.cannotKeep` if the journal cannot store the events; none of them is applied then.
    func apply(_ events: [DeviceEvent], at now: Timestamp) async throws -> [DeviceReaction] {
        try await thread.runIfActive { try self.happen(events, at: now) }
    }

    /// Applies events on the thread, so that the journal and the device have the same order.
    private func happen(_ events: [DeviceEvent], at now: Timestamp) throws(AgentError) -> [DeviceReaction] {
        let entries = state.withLock { state in events.map { state.replay.entry(of: $0, at: now) } }
        do throws(AgentStartError) {
            try folder?.append(entries)
        } catch {
            throw .cannotKeep("\(error)")
        }
        let reactions = state.withLock { state in
            state.sinceNote += entries.count
            return entries.map { state.replay.apply($0) }
        }
        followers.tell(reactions.flatMap(\.effects))
        changes.notify()
        // This runs later on the same thread, so that the caller does not wait for it.
        if folder != nil { thread.submit { [weak self] _ in self?.noteState() } }
        return reactions
    }

    /// Writes a snapshot, on the thread, if a start would have to replay many entries.
    private func noteState() {
        guard let folder else { return }
        let replay = state.withLock { state -> DeviceReplay? in
            guard state.sinceNote >= Self.longReplay * 10 else { return nil }
            state.sinceNote = 0
            return state.replay
        }
        if let replay { folder.note(replay) }
    }

    /// Returns an independent copy with another name, and with a journal of its own if this device has one.
    ///
    /// - Parameters:
    ///   - name: the name of the copy.
    ///   - snapshot: the snapshot with which the copy begins, or `nil` for the current state.
    ///   - now: the time of the fork.
    /// - Returns: the copy, which is not registered with the gateway yet.
    /// - Throws: `AgentError` if there is no such snapshot, or the copy cannot be stored.
    func fork(named name: String, from snapshot: String?, at now: Timestamp) async throws -> DeviceStore {
        try await thread.runIfActive { try self.copy(named: name, from: snapshot, at: now) }
    }

    private func copy(named name: String, from snapshot: String?, at now: Timestamp) throws(AgentError) -> DeviceStore {
        var replay = state.withLock(\.replay)
        var entries: [JournalEntry] = []
        func happen(_ event: DeviceEvent) throws(AgentError) {
            let entry = replay.entry(of: event, at: now)
            for case .eventIgnored(let ignored) in replay.apply(entry).effects { throw .ignored(ignored) }
            entries.append(entry)
        }
        if let snapshot { try happen(.deviceRestored(snapshot: snapshot)) }
        try happen(.deviceRenamed(name))
        // No process is attached to the copy, so no process can own a view.
        for view in replay.model.allViews { try happen(.attributionReleased(view.app, view.view)) }
        var copy: DeviceFolder?
        do throws(AgentStartError) {
            copy = try folder?.copy(named: name)
            try copy?.append(entries)
        } catch {
            copy?.remove()
            throw .cannotKeep("\(error)")
        }
        return DeviceStore(replay, in: copy, replayed: 0)
    }

    /// Waits until a condition holds for the device, or the task is canceled.
    func waitUntil(_ isSo: (DeviceStore) -> Bool) async {
        for await _ in changes.watch() where isSo(self) { return }
    }

    // MARK: The gateway

    /// The device's credential at the gateway, or `nil` until it is registered.
    var credential: DeviceCredential? {
        state.withLock(\.credential)
    }

    /// Stores the device's credential at the gateway, or removes it if the gateway no longer knows the device.
    func setCredential(_ credential: DeviceCredential?) {
        state.withLock { $0.credential = credential }
        folder?.keep(credential)
    }

    /// Whether the stream from the gateway is open.
    var isConnected: Bool {
        get { state.withLock(\.isConnected) }
        set {
            state.withLock { $0.isConnected = newValue }
            changes.notify()
        }
    }

    /// The last notice that the gateway received.
    var told: GatewayNotice? {
        get { state.withLock(\.told) }
        set {
            state.withLock { $0.told = newValue }
            changes.notify()
        }
    }

    /// The last notice that could not be sent to the gateway, so that nobody waits for it.
    var unheard: GatewayNotice? {
        get { state.withLock(\.unheard) }
        set {
            state.withLock { $0.unheard = newValue }
            changes.notify()
        }
    }

    /// The current notice for the gateway.
    var notice: GatewayNotice {
        GatewayNotice(model)
    }

    // MARK: The current state

    var status: DeviceStatus {
        state.withLock { state in
            DeviceStatus(
                name: name,
                token: state.credential?.token,
                isConnected: state.isConnected,
                notifications: state.replay.model.notifications.count
            )
        }
    }

    /// The device as it is now, as an independent copy.
    var model: DeviceModel {
        state.withLock(\.replay.model)
    }

    /// The time of the last event.
    var lastEvent: Timestamp {
        state.withLock(\.replay.lastEvent)
    }

    /// The next time when something changes without an event, or `nil` for never.
    var nextDeadline: Timestamp? {
        state.withLock(\.replay.nextDeadline)
    }
}
