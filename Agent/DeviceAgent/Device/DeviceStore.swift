internal import DeviceJournal
internal import DeviceModel
internal import LocalFiles
internal import LocalService
internal import NIOCore
internal import NIOPosix
internal import Synchronization
internal import WaypostSchema

/// The current state of a device, its journal and its subscribers: what its services and the APIs share.
///
/// Events are applied one after another, and only once they are in the journal, if the device has one.
final class DeviceStore: Sendable {
    private struct State {
        var replayedDevice: ReplayedDevice
        var credential: StoredCredential?

        /// The number of entries in the journal.
        var journalLength: Int

        /// The journal, if the device is not stored.
        var journal: [JournalEntry]

        var isConnected = false
        var isRotating = false
        var lastReportedConditions: DeliveryConditions?
        var lastUnreportedConditions: DeliveryConditions?
        var lastUnsettledTokens: DeviceTokens?

        /// The number of entries written since the state was last saved.
        var unsavedEntryCount = 0

        var journalCondition = JournalCondition()

        /// Whether the device was removed from the agent.
        var isRemoved = false

        /// Whether no more events are applied.
        var isShutDown = false
    }

    let name: String

    /// The minimum number of replayed or written entries for which a start or a shutdown saves the state.
    private static let minimumUnsavedEntries = 1_000

    /// The subscribers to what happens on the device.
    let subscribers = DeviceSubscribers()

    /// Notifies waiters of changes to the device.
    let changes = ChangeNotifier<Unkeyed>()

    /// Says when the journal begins to refuse events, and when it accepts them again; for one reader.
    let journalNotices: AsyncStream<JournalCondition.Notice>

    private let journalNoticeContinuation: AsyncStream<JournalCondition.Notice>.Continuation

    /// The credentials with which processes of its apps attach.
    let appCredentials: AppCredentials

    /// The attached processes of its apps.
    let processes: AppProcesses

    private let folder: DeviceFolder?
    private let state: Mutex<State>

    /// The threads for blocking work on the disk, which all devices share.
    private static let threads = NIOThreadPool.singleton

    /// Held by the thread that applies events, so that the journal and the device have the same order.
    private let applyLock = Mutex(())

    /// Held by the thread that saves the state.
    private let saveLock = Mutex(())

    /// Creates a device from its description, and stores it in `folder`, if given.
    ///
    /// - Throws: `DescriptionError` if the description cannot be used, `AgentStartError` if the folder cannot be used.
    convenience init(_ description: DeviceDescription, in folder: DeviceFolder?, at now: Timestamp) throws {
        try self.init(ReplayedDevice(), description, in: folder, replayedCount: 0, at: now)
    }

    /// Creates a device that was loaded from its folder.
    ///
    /// If `description` differs from that of the last start, it is applied as an event.
    ///
    /// - Throws: `DescriptionError` if the description cannot be used, `AgentStartError` if the folder cannot be used.
    convenience init(_ loaded: LoadedDevice, as description: DeviceDescription?, at now: Timestamp) throws {
        try self.init(
            loaded.replayedDevice,
            description,
            in: loaded.folder,
            replayedCount: loaded.replayedCount,
            at: now
        )
    }

    private convenience init(
        _ replayedDevice: ReplayedDevice,
        _ description: DeviceDescription?,
        in folder: DeviceFolder?,
        replayedCount: Int,
        at now: Timestamp
    ) throws {
        var replayedDevice = replayedDevice
        var journal: [JournalEntry] = []
        if let description { _ = try DeviceModel(description) }
        if let description, !replayedDevice.isDescribed || folder?.lastDescription != description {
            let entry = replayedDevice.entry(of: .system(.deviceDescribed(description)), at: now)
            do throws(AgentError) {
                try folder?.append([entry])
            } catch {
                throw AgentStartError.cannotUseData(error.body.error.message)
            }
            folder?.save(description)
            replayedDevice.apply(entry)
            journal.append(entry)
        }
        self.init(replayedDevice, journal, in: folder, replayedCount: replayedCount)
    }

    /// Creates the device after a replay of `replayedCount` entries; without a folder, `journal` has all its entries.
    private init(
        _ replayedDevice: ReplayedDevice,
        _ journal: [JournalEntry],
        in folder: DeviceFolder?,
        replayedCount: Int
    ) {
        name = replayedDevice.model.name
        self.folder = folder
        if replayedCount >= Self.minimumUnsavedEntries, let folder {
            folder.save(replayedDevice, upTo: folder.end)
        }
        appCredentials = AppCredentials(folder)
        // Apps that were removed while the agent was stopped lose their credentials.
        appCredentials.removeAll(except: replayedDevice.model.appIdentifiers)
        processes = AppProcesses(subscribers)
        (journalNotices, journalNoticeContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
        state = Mutex(
            State(
                replayedDevice: replayedDevice,
                credential: folder?.credential,
                journalLength: folder?.end.lines ?? journal.count,
                journal: folder == nil ? journal : []
            )
        )
    }

    /// Ends the streams of the device; no more events are applied.
    ///
    /// If the device was removed, its folder is removed too.
    func shutDown() async throws {
        changes.end()
        journalNoticeContinuation.finish()
        subscribers.end()
        // The task of an agent that stops is canceled, which must not cancel this.
        try await Self.threads.runIfActive(eventLoop: .singletonMultiThreadedEventLoopGroup.any()) {
            self.applyLock.withLock { _ in self.saveLock.withLock { _ in self.finish() } }
        }.get()
    }

    private func finish() {
        let (replayedDevice, entryCount, isRemoved) = state.withLock { state in
            state.isShutDown = true
            return (state.replayedDevice, state.unsavedEntryCount, state.isRemoved)
        }
        if isRemoved {
            folder?.remove()
        } else if entryCount >= Self.minimumUnsavedEntries, let folder {
            folder.save(replayedDevice, upTo: folder.end)
        }
    }

    /// Whether the journal is still at its path; true if the device is not stored.
    var isStillAtPath: Bool {
        folder?.isStillAtPath ?? true
    }

    /// Whether the device was removed from the agent, so that its services end.
    var isRemoved: Bool {
        state.withLock(\.isRemoved)
    }

    /// Removes the device from the agent; `shutDown` removes its folder.
    func remove() {
        state.withLock { $0.isRemoved = true }
        changes.notify()
    }

    /// Runs blocking work on one of the threads that all devices share.
    static func runBlockingWork<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await threads.runIfActive(work)
    }

    /// Runs blocking work for the device, one after another.
    private func runBlockingWork<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await Self.runBlockingWork { try self.applyLock.withLock { _ in try work() } }
    }

    // MARK: Events

    /// Writes events to the journal, and then applies them one after another.
    ///
    /// - Returns: the device's reaction to each event.
    /// - Throws: `AgentError.journalWriteFailed` if the journal cannot store the events, or `AgentError.unknownDevice`
    ///   if the device was removed; none of the events is applied then.
    func apply(_ events: [DeviceEvent], at now: Timestamp) async throws -> [DeviceReaction] {
        try await runBlockingWork { try self.record(events, at: now) }
    }

    private func record(_ events: [DeviceEvent], at now: Timestamp) throws(AgentError) -> [DeviceReaction] {
        let entries = try state.withLock { state throws(AgentError) in
            guard !state.isShutDown else { throw .unknownDevice(name) }
            return events.map { state.replayedDevice.entry(of: $0, at: now) }
        }
        do throws(AgentError) {
            try folder?.append(entries)
        } catch {
            if case .journalWriteFailed(let reason) = error { recordJournalFailure(reason) }
            throw error
        }
        recordJournalFailure(nil)
        let (reactions, firstLength) = state.withLock { state in
            let firstLength = state.journalLength + 1
            state.unsavedEntryCount += entries.count
            state.journalLength += entries.count
            if folder == nil { state.journal += entries }
            return (entries.map { state.replayedDevice.apply($0) }, firstLength)
        }
        subscribers.send(zip(firstLength..., reactions).flatMap(Self.updates))
        changes.notify()
        // This runs later, so that the caller does not wait for it.
        scheduleSave()
        return reactions
    }

    /// Records the reason why the journal could not store events, or `nil` because it can.
    private func recordJournalFailure(_ reason: String?) {
        state.withLock { state in
            guard let notice = state.journalCondition.record(reason) else { return }
            journalNoticeContinuation.yield(notice)
        }
    }

    /// Returns the reason why events cannot be stored, and checks a former failure; `nil` if they can.
    func checkJournal() -> String? {
        guard let reason = state.withLock(\.journalCondition.failure) else { return nil }
        guard folder?.hasRoom == true else { return reason }
        recordJournalFailure(nil)
        return nil
    }

    /// Returns the updates for subscribers after an event, which made the journal `journalLength` entries long.
    private static func updates(at journalLength: Int, after reaction: DeviceReaction) -> [DeviceUpdate] {
        reaction.effects.isEmpty
            ? [.changed(journalLength: journalLength)] : reaction.effects.map { .effect($0) }
    }

    /// Saves the state later if a start would have to replay many entries; events do not wait for it.
    private func scheduleSave() {
        guard let folder else { return }
        let replayedDevice = state.withLock { state -> ReplayedDevice? in
            guard state.unsavedEntryCount >= Self.minimumUnsavedEntries * 10 else { return nil }
            state.unsavedEntryCount = 0
            return state.replayedDevice
        }
        guard let replayedDevice else { return }
        let position = folder.end
        Self.threads.submit { [weak self] _ in
            guard let self else { return }
            saveLock.withLock { _ in
                // At a shutdown, a later state was written.
                if !self.state.withLock(\.isShutDown) { folder.save(replayedDevice, upTo: position) }
            }
        }
    }

    /// Returns an independent copy with another name, and with a journal of its own if this device has one.
    ///
    /// - Parameters:
    ///   - name: the name of the copy.
    ///   - snapshot: the snapshot with which the copy begins, or `nil` for the current state.
    ///   - data: the folder of the agent, if the device is stored.
    ///   - now: the time of the fork.
    /// - Returns: the copy, which is not registered with the gateway yet.
    /// - Throws: `AgentError` if there is no such snapshot, or the copy cannot be stored.
    func fork(
        named name: String,
        from snapshot: String?,
        in data: DataFolder?,
        at now: Timestamp
    ) async throws -> DeviceStore {
        try await runBlockingWork { try self.copy(named: name, from: snapshot, in: data, at: now) }
    }

    private func copy(
        named name: String,
        from snapshot: String?,
        in data: DataFolder?,
        at now: Timestamp
    ) throws(AgentError) -> DeviceStore {
        var replayedDevice = state.withLock(\.replayedDevice)
        let journal = state.withLock(\.journal)
        var entries: [JournalEntry] = []
        func record(_ event: DeviceEvent) throws(AgentError) {
            let entry = replayedDevice.entry(of: event, at: now)
            let effects = replayedDevice.apply(entry).effects
            for case .system(.eventIgnored(let ignored)) in effects { throw .ignored(ignored) }
            entries.append(entry)
        }
        if let snapshot { try record(.system(.deviceRestored(snapshot: snapshot))) }
        try record(.system(.deviceRenamed(name)))
        // No process is attached to the copy, so no process can own a view.
        for view in replayedDevice.model.allViews {
            try record(.attribution(.attributionReleased(view.app, view.view)))
        }
        var copy: DeviceFolder?
        do throws(AgentStartError) {
            if let folder { copy = try data?.copy(folder, named: name) }
        } catch {
            throw .journalWriteFailed("\(error)")
        }
        do throws(AgentError) {
            try copy?.append(entries)
        } catch {
            copy?.remove()
            throw error
        }
        return DeviceStore(replayedDevice, journal + entries, in: copy, replayedCount: 0)
    }

    // MARK: The journal

    /// The number of entries in the journal.
    var journalLength: Int {
        state.withLock(\.journalLength)
    }

    /// Returns a page of the journal; the device has applied all its entries.
    ///
    /// - Parameters:
    ///   - skippedCount: the number of entries before the page; at the end of the journal, the page is empty.
    ///   - limit: the maximum number of entries.
    /// - Returns: the page.
    /// - Throws: `AgentError.unknownDevice` if the device was removed, `AgentError.dataMoved` if its folder was,
    ///   `JournalError` if the journal cannot be read.
    func journalPage(skipping skippedCount: Int, limit: Int) async throws -> JournalPage {
        try await runBlockingWork { try self.page(skipping: skippedCount, limit: limit) }
    }

    private func page(skipping skippedCount: Int, limit: Int) throws -> JournalPage {
        let (length, journal) = try state.withLock { state throws(AgentError) in
            guard !state.isRemoved else { throw .unknownDevice(name) }
            return (state.journalLength, state.journal)
        }
        let first = min(skippedCount, length)
        let entries =
            try folder?.entries(skipping: first, limit: limit) ?? Array(journal.dropFirst(first).prefix(limit))
        return JournalPage(entries: entries, next: first + entries.count)
    }

    /// Waits until a condition holds for the device, or the task is canceled.
    func waitUntil(_ condition: (DeviceStore) -> Bool) async {
        for await _ in changes.watch() where condition(self) { return }
    }

    // MARK: The gateway

    /// The device's credential at the gateway, or `nil` until it is registered.
    var credential: DeviceCredential? {
        state.withLock(\.credential)?.credential
    }

    /// Changes the credential, and stores it if it differs; changes are stored in their order.
    @discardableResult
    private func changeCredential<Value: Sendable>(_ change: (inout StoredCredential?) -> Value) -> Value {
        state.withLock { state in
            let previous = state.credential
            let value = change(&state.credential)
            if state.credential != previous { try? folder?.save(state.credential) }
            return value
        }
    }

    /// Stores the credential that a registration returned, unless the previous one was replaced in the meantime.
    func setCredential(_ credential: DeviceCredential, replacing previous: DeviceCredential?) {
        changeCredential { stored in
            guard stored?.credential != credential, stored?.nextSecret == nil,
                stored == nil || stored?.credential == previous
            else {
                return
            }
            stored = StoredCredential(credential)
        }
    }

    /// Stores another token of the device.
    func setToken(_ token: DeviceToken) {
        changeCredential { $0?.setToken(token) }
    }

    /// Removes the credential because the gateway does not accept its secret.
    ///
    /// - Returns: whether it is removed; it is not if the secret was replaced in the meantime, or may have been.
    func removeCredential(with secret: BearerSecret) -> Bool {
        changeCredential { credential in
            guard credential?.isSettled(on: secret) == true else { return false }
            credential = nil
            return true
        }
    }

    /// The secret, and the one that identifies the registration; `nil` while there is none that is certainly valid.
    var settledSecret: (current: BearerSecret, first: BearerSecret)? {
        guard let credential = state.withLock(\.credential), credential.nextSecret == nil else { return nil }
        return (credential.secret, credential.firstSecret)
    }

    /// Returns whether a secret is still the device's, and no other one is about to replace it.
    func isSettled(on secret: BearerSecret) -> Bool {
        state.withLock(\.credential)?.isSettled(on: secret) == true
    }

    /// The secret that replaces the one of the credential; `nil` if no rotation is in progress.
    var nextSecret: BearerSecret? {
        state.withLock(\.credential)?.nextSecret
    }

    /// Begins a rotation of the secret, unless one is in progress; the next secret is on the disk when this returns.
    ///
    /// - Throws: `AgentError.credentialWriteFailed`; nothing has changed then.
    func beginSecretRotation(to next: BearerSecret) throws(AgentError) {
        try state.withLock { state throws(AgentError) in
            var credential = state.credential
            credential?.beginRotation(to: next)
            do throws(SystemError) {
                try folder?.save(credential)
            } catch {
                throw .credentialWriteFailed("\(error)")
            }
            state.credential = credential
        }
    }

    /// Records the answer to the request that replaces the secret.
    func record(_ answer: StoredCredential.RotationAnswer) {
        state.withLock { state in
            if state.credential?.record(answer) == .store { try? folder?.save(state.credential) }
        }
    }

    /// Whether the gateway is giving the device another token or secret.
    var isRotating: Bool {
        state.withLock(\.isRotating)
    }

    /// Begins a rotation of the token or the secret; returns `false` if there is another one.
    func beginRotation() -> Bool {
        state.withLock { state in
            guard !state.isRotating else { return false }
            state.isRotating = true
            return true
        }
    }

    /// Ends the rotation.
    func endRotation() {
        state.withLock { $0.isRotating = false }
        changes.notify()
    }

    /// Whether the stream from the gateway is open.
    var isConnected: Bool {
        get { state.withLock(\.isConnected) }
        set {
            state.withLock { $0.isConnected = newValue }
            changes.notify()
        }
    }

    /// The last conditions that the gateway received.
    var lastReportedConditions: DeliveryConditions? {
        get { state.withLock(\.lastReportedConditions) }
        set {
            state.withLock { $0.lastReportedConditions = newValue }
            changes.notify()
        }
    }

    /// The last conditions that could not be sent to the gateway; callers stop waiting for them.
    var lastUnreportedConditions: DeliveryConditions? {
        get { state.withLock(\.lastUnreportedConditions) }
        set {
            state.withLock { $0.lastUnreportedConditions = newValue }
            changes.notify()
        }
    }

    /// The last tokens some of which the gateway could not assign or unregister; callers stop waiting for them.
    var lastUnsettledTokens: DeviceTokens? {
        get { state.withLock(\.lastUnsettledTokens) }
        set {
            state.withLock { $0.lastUnsettledTokens = newValue }
            changes.notify()
        }
    }

    /// The conditions that the gateway must have now.
    var deliveryConditions: DeliveryConditions {
        DeliveryConditions(model)
    }

    // MARK: The current state

    var status: DeviceStatus {
        state.withLock { state in
            DeviceStatus(
                name: name,
                token: state.credential?.token,
                isConnected: state.isConnected,
                isInAirplaneMode: state.replayedDevice.model.isInAirplaneMode ? true : nil,
                notifications: state.replayedDevice.model.notifications.count
            )
        }
    }

    /// The device as it is now, as an independent copy.
    var model: DeviceModel {
        state.withLock(\.replayedDevice.model)
    }

    /// The time of the last event.
    var lastEventTime: Timestamp {
        state.withLock(\.replayedDevice.lastEventTime)
    }

    /// The next time when something changes without an event, or `nil` for never.
    var nextDeadline: Timestamp? {
        state.withLock(\.replayedDevice.nextDeadline)
    }
}
