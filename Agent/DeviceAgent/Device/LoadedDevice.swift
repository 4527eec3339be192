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

    /// Opens the folder at `path`, creates it if needed, and replays its journal.
    init(in path: String) throws(AgentStartError) {
        let contents: DeviceFolderContents
        (folder, contents) = try DeviceFolder.open(path)
        replayedDevice = ReplayedDevice(contents)
        replayedCount = contents.entries.count
        loss = contents.loss
    }

    /// The name of the device.
    var name: String {
        replayedDevice.model.name
    }
}
