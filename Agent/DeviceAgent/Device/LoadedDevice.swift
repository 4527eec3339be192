internal import DeviceJournal
internal import DeviceModel

/// A device as an agent loads it from its folder at the start: its journal was replayed.
struct LoadedDevice: Sendable {
    let folder: DeviceFolder
    let replayedDevice: ReplayedDevice

    /// The number of journal entries that were replayed.
    let replayedCount: Int

    /// The events that the journal has lost, if any.
    let loss: JournalLoss?

    /// Opens the folder at `path`, creates it if needed, and replays its journal from the saved state, if any.
    init(in path: String) throws(AgentStartError) {
        let savedState = DeviceFolder.savedState(in: path)
        var device = savedState?.state ?? ReplayedDevice()
        var count = 0
        let (folder, journal) = try DeviceFolder.open(
            path,
            from: savedState?.place ?? .start
        ) { unread throws(JournalError) in
            if !unread.startsAtRequestedPosition { device = ReplayedDevice() }
            try device.addMissingSnapshots(from: unread)
            return try unread.recover { entry in
                device.apply(entry)
                count += 1
            }
        }
        self.folder = folder
        replayedDevice = device
        replayedCount = count
        loss = journal.loss
    }

    /// The name of the device.
    var name: String {
        replayedDevice.model.name
    }
}
