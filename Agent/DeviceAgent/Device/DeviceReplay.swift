internal import DeviceModel
internal import WaypostSchema

/// A device as what happened to it so far has made it.
struct DeviceReplay: Sendable, Codable {
    /// The device.
    private(set) var model = DeviceModel()

    /// When something happened last.
    private(set) var lastEvent = Timestamp(milliseconds: 0)

    /// When something changes by the passing of time alone; `nil` for never.
    private(set) var nextDeadline: Timestamp?

    /// Whether it was described, so that there is one.
    private(set) var isDescribed = false

    /// Creates the device to which nothing happened.
    init() {}

    /// Creates the device that a journal leads to, from a state that it led to before.
    init(_ kept: KeptDevice) {
        self = kept.state ?? DeviceReplay()
        for entry in kept.entries { apply(entry) }
    }

    /// Returns the entry of something that happens now, or, where the clock went back, when something happened last.
    func entry(of event: DeviceEvent, at now: Timestamp) -> JournalEntry {
        JournalEntry(at: max(now, lastEvent), event: event)
    }

    /// Lets something happen that is in the journal; returns what the device does about it.
    @discardableResult
    mutating func apply(_ entry: JournalEntry) -> DeviceReaction {
        lastEvent = max(lastEvent, entry.at)
        if case .deviceDescribed = entry.event { isDescribed = true }
        let reaction = model.apply(entry.event, at: entry.at)
        nextDeadline = reaction.nextDeadline
        return reaction
    }
}
