internal import DeviceJournal
internal import DeviceModel

/// A device in its folder, in the state after its journal.
struct StoredDevice: Sendable {
    let folder: DeviceFolder
    let replayedDevice: ReplayedDevice

    /// The number of journal entries that were replayed.
    let replayedCount: Int

    /// The events that the journal has lost, if any.
    let loss: JournalLoss?

    /// Opens the folder at `path`, creates it if needed, and replays its journal.
    init(in path: String) throws(AgentStartError) {
        let storedState: StoredDeviceState
        (folder, storedState) = try DeviceFolder.open(path)
        replayedDevice = ReplayedDevice(storedState)
        replayedCount = storedState.entries.count
        loss = storedState.loss
    }

    /// The name of the device.
    var name: String {
        replayedDevice.model.name
    }
}
