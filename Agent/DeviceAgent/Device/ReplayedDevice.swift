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

    /// Creates a device without any events.
    init() {}

    /// Creates a device from its saved state, if any, and the journal entries after it.
    init(_ contents: DeviceFolderContents) {
        self = contents.state ?? ReplayedDevice()
        if !contents.entriesForMissingSnapshots.isEmpty {
            var previous = ReplayedDevice()
            for entry in contents.entriesForMissingSnapshots { previous.apply(entry) }
            model.addMissingSnapshots(from: previous.model)
        }
        for entry in contents.entries { apply(entry) }
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
        if case .system(.deviceDescribed) = entry.event { isDescribed = true }
        let reaction = model.apply(entry.event, at: entry.at)
        nextDeadline = reaction.nextDeadline
        return reaction
    }
}
