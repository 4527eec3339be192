internal import DeviceJournal
internal import DeviceModel
internal import NIOPosix
internal import Synchronization
internal import WaypostSchema

/// The device of an agent, shared by everything that feeds it, shows it and drives it.
///
/// What happens to it is in its journal, where it has one, before anything comes of it; events happen one after another.
final class Device: Sendable {
    private struct State {
        var replay: DeviceReplay
        var credential: DeviceCredential?
        var isConnected = false
    }

    let name: String

    /// Those who follow what the device does.
    let followers = EffectFollowers()

    private let folder: DeviceFolder?
    private let state: Mutex<State>

    /// A disk is waited for on a thread of its own.
    private let thread = NIOThreadPool(numberOfThreads: 1)

    /// Has an element whenever the next deadline may be another.
    let deadlineChanges: AsyncStream<Void>
    private let deadlineChange: AsyncStream<Void>.Continuation

    /// Creates the device that `description` describes, or the one that is kept in `folder`.
    ///
    /// A description that is another than the one that the last start had is what happened to the device meanwhile.
    ///
    /// - Throws: `DescriptionFault` where there can be no such device, `AgentStartFault` where the folder cannot be used.
    init(_ description: DeviceDescription, in folder: DeviceFolder? = nil, at now: Timestamp) throws {
        _ = try DeviceModel(description)
        var replay = DeviceReplay()
        for entry in folder?.found.entries ?? [] { replay.apply(entry) }
        guard !replay.isDescribed || replay.model.name == description.name else {
            throw AgentStartFault.cannotUseData(
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
        name = description.name
        self.folder = folder
        state = Mutex(State(replay: replay, credential: folder?.credential))
        (deadlineChanges, deadlineChange) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        deadlineChange.yield()
        thread.start()
    }

    /// Lets go of what it has of the system; nothing happens to it any more.
    func shutDown() async throws {
        deadlineChange.finish()
        followers.end()
        try await thread.shutdownGracefully()
    }

    // MARK: What happens

    /// Lets events happen, one after another, once they are in the journal.
    ///
    /// - Returns: what the device does about each.
    /// - Throws: `AgentFault.cannotKeep` where the journal does not take them; none of them has happened then.
    func apply(_ events: [DeviceEvent], at now: Timestamp) async throws -> [DeviceReaction] {
        try await thread.runIfActive { try self.happen(events, at: now) }
    }

    /// On the thread, so that the journal and the device have the same order.
    private func happen(_ events: [DeviceEvent], at now: Timestamp) throws(AgentFault) -> [DeviceReaction] {
        let entries = state.withLock { state in events.map { state.replay.entry(of: $0, at: now) } }
        do throws(AgentStartFault) {
            try folder?.append(entries)
        } catch {
            throw .cannotKeep("\(error)")
        }
        let reactions = state.withLock { state in entries.map { state.replay.apply($0) } }
        deadlineChange.yield()
        followers.tell(reactions.flatMap(\.effects))
        return reactions
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
        set { state.withLock { $0.isConnected = newValue } }
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

    /// Has whoever waits for the next deadline look at it again.
    func lookAtDeadline() {
        deadlineChange.yield()
    }

    /// When something changes by the passing of time alone; `nil` for never.
    var nextDeadline: Timestamp? {
        state.withLock(\.replay.nextDeadline)
    }
}
