internal import DeviceJournal
internal import DeviceModel
internal import WaypostSchema

/// A device in memory, in the state to which the events in its journal lead.
struct ReplayedDevice: Sendable, Codable {
    /// The device.
    private(set) var model = DeviceModel()

    /// The time of the last event.
    private(set) var lastEventTime = Timestamp(milliseconds: 0)

    /// The next time when something changes without an event, or `nil` for never.
    private(set) var nextDeadline: Timestamp?

    /// Whether the device was described, so that it exists.
    private(set) var isDescribed = false

    /// The number of entries that were applied.
    private var entryCount = 0

    /// The number of entries up to the last one that took a named snapshot.
    private var entryCountAtLastSnapshot = 0

    /// Creates a device without any events.
    init() {}

    /// Takes the snapshots again of which a saved state has only the names, by a replay up to the last one.
    ///
    /// - Parameter journal: the journal of the device.
    /// - Throws: `JournalError` for a line that cannot be used.
    mutating func addMissingSnapshots(from journal: UnreadJournal) throws(JournalError) {
        guard !model.missingSnapshotNames.isEmpty else { return }
        var previous = ReplayedDevice()
        try journal.forEachEntry(ofFirst: entryCountAtLastSnapshot) { previous.apply($0) }
        model.addMissingSnapshots(from: previous.model)
    }

    /// Removes and returns the notifications of the device, which are stored one by one.
    mutating func detachNotifications() -> [DetachedNotification] {
        model.detachNotifications()
    }

    /// Adds notifications that were detached from the device.
    mutating func attach(_ notifications: [DetachedNotification]) {
        model.attach(notifications)
    }

    /// Returns the entry for an event that happens now, or at the time of the last event if the clock moved back.
    func entry(of event: DeviceEvent, at now: Timestamp) -> JournalEntry {
        JournalEntry(at: max(now, lastEventTime), event: event)
    }

    /// Applies an entry of the journal, and returns the device's reaction.
    @discardableResult
    mutating func apply(_ entry: JournalEntry) -> DeviceReaction {
        lastEventTime = max(lastEventTime, entry.at)
        entryCount += 1
        switch entry.event {
        case .system(.deviceDescribed): isDescribed = true
        case .system(.snapshotTaken): entryCountAtLastSnapshot = entryCount
        default: break
        }
        let reaction = model.apply(entry.event, at: entry.at)
        nextDeadline = reaction.nextDeadline
        return reaction
    }
}
