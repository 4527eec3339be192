internal import DeviceJournal
internal import DeviceModel
internal import LocalService
internal import NIOPosix
internal import Synchronization
internal import WaypostSchema

/// A device of an agent, shared by everything that feeds it, shows it and drives it.
///
/// What happens to it is in its journal, where it has one, before anything comes of it; events happen one after another.
final class DeviceStore: Sendable {
    private struct State {
        var replay: DeviceReplay
        var credential: DeviceCredential?
        var isConnected = false
        var told: GatewayNotice?
        var unheard: GatewayNotice?

        /// How many entries were written since the state was noted.
        var sinceNote = 0
    }

    let name: String

    /// How many entries a start may have to replay before the state is noted.
    private static let longReplay = 1_000

    /// Followers of what the device does.
    let followers = EffectFollowers()

    /// Tells waiters that something happened to the device.
    let changes = ChangeNotifier<SingleKey>()

    /// What processes of its apps attach with.
    let credentials: AppCredentials

    /// The processes that are attached.
    let processes: AppProcesses

    private let folder: DeviceFolder?
    private let state: Mutex<State>

    /// A disk is waited for on a thread of its own.
    private let thread = NIOThreadPool(numberOfThreads: 1)

    /// Creates the device that `description` describes, or the one that is kept in `folder`, which has `kept`.
    ///
    /// A description that is another than the one that the last start had is what happened to the device meanwhile.
    ///
    /// - Throws: `DescriptionError` where there can be no such device, `AgentStartError` where the folder cannot be used.
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
                "the data folder keeps the device '\(replay.model.name)', and the file describes '\(description.name)'; "
                    + "give each device a folder of its own"
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

    /// Creates the device that was replayed, from so many entries.
    private init(_ replay: DeviceReplay, in folder: DeviceFolder?, replayed: Int) {
        name = replay.model.name
        self.folder = folder
        if replayed >= Self.longReplay { folder?.note(replay) }
        credentials = AppCredentials(folder)
        // Who was removed while nobody looked attaches no more.
        credentials.keep(only: replay.model.appIdentifiers)
        processes = AppProcesses(followers)
        state = Mutex(State(replay: replay, credential: folder?.credential))
        thread.start()
    }

    /// Returns the copy that is kept in a folder, as `fork` made it; `nil` where the folder has no device, or one of the
    /// names of others.
    convenience init?(copyIn folder: DeviceFolder, _ kept: KeptDevice, besides names: [String]) {
        let replay = DeviceReplay(kept)
        guard replay.isDescribed, !names.contains(replay.model.name) else { return nil }
        self.init(replay, in: folder, replayed: kept.entries.count)
    }

    /// Lets go of what it has of the system; nothing happens to it any more.
    func shutDown() async throws {
        changes.end()
        followers.end()
        try await thread.shutdownGracefully()
        let (replay, written) = state.withLock { ($0.replay, $0.sinceNote) }
        if written >= Self.longReplay { folder?.note(replay) }
    }

    // MARK: What happens

    /// Lets events happen, one after another, once they are in the journal.
    ///
    /// - Returns: what the device does about each.
    /// - Throws: `AgentError.cannotKeep` where the journal does not take them; none of them has happened then.
    func apply(_ events: [DeviceEvent], at now: Timestamp) async throws -> [DeviceReaction] {
        try await thread.runIfActive { try self.happen(events, at: now) }
    }

    /// On the thread, so that the journal and the device have the same order.
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
        // Behind this, on the same thread, so that nobody waits for it.
        if folder != nil { thread.submit { [weak self] _ in self?.noteState() } }
        return reactions
    }

    /// Notes the state, on the thread, where a start would have to replay much.
    private func noteState() {
        guard let folder else { return }
        let replay = state.withLock { state -> DeviceReplay? in
            guard state.sinceNote >= Self.longReplay * 10 else { return nil }
            state.sinceNote = 0
            return state.replay
        }
        if let replay { folder.note(replay) }
    }

    /// Returns a copy with another name, to which nothing happens that happens to this device, and which has a journal of
    /// its own where this device has one.
    ///
    /// - Parameters:
    ///   - name: the copy's.
    ///   - snapshot: the snapshot that the copy is to begin with; `nil` for the device as it is.
    ///   - now: when that is.
    /// - Returns: the copy, which the gateway does not know yet.
    /// - Throws: `AgentError` where there is no such snapshot, or where the copy cannot be kept.
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
        // No process is attached to the copy that could have asked for a view.
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

    /// Waits until something holds for the device, or the task is cancelled.
    func waitUntil(_ isSo: (DeviceStore) -> Bool) async {
        for await _ in changes.watch() where isSo(self) { return }
    }

    // MARK: What the gateway knows

    /// What the gateway knows the device by; `nil` until it is registered.
    var credential: DeviceCredential? {
        state.withLock(\.credential)
    }

    /// Notes what the gateway knows the device by; `nil` where it has forgotten it.
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

    /// What the gateway was told last.
    var told: GatewayNotice? {
        get { state.withLock(\.told) }
        set {
            state.withLock { $0.told = newValue }
            changes.notify()
        }
    }

    /// What the gateway could not be told, so that nobody waits for that.
    var unheard: GatewayNotice? {
        get { state.withLock(\.unheard) }
        set {
            state.withLock { $0.unheard = newValue }
            changes.notify()
        }
    }

    /// What the gateway has to know.
    var notice: GatewayNotice {
        GatewayNotice(model)
    }

    // MARK: What is there

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

    /// The device as it is now; a copy that nothing happens to any more.
    var model: DeviceModel {
        state.withLock(\.replay.model)
    }

    /// When something happened last.
    var lastEvent: Timestamp {
        state.withLock(\.replay.lastEvent)
    }

    /// When something changes by the passing of time alone; `nil` for never.
    var nextDeadline: Timestamp? {
        state.withLock(\.replay.nextDeadline)
    }
}
