internal import DeviceJournal
internal import Foundation
internal import LocalFiles

/// The folder in which an agent stores its devices.
///
/// The first device has its files in the folder itself; each other device has a folder in `devices`.
struct DataFolder: Sendable {
    private let path: String

    init(_ path: String) {
        self.path = path
    }

    /// Returns the stored devices, and the losses of their journals.
    ///
    /// - Throws: `AgentStartError.cannotUseData` if one cannot be used.
    func loadDevices() throws(AgentStartError) -> (devices: [LoadedDevice], losses: [JournalLoss]) {
        var devices: [LoadedDevice] = []
        var losses: [JournalLoss] = []
        for folder in deviceFolderPaths(in: path) {
            let device = try LoadedDevice(in: folder)
            if let loss = device.loss { losses.append(loss) }
            // A device that was not stored completely has no name, or that of the device that it was copied from.
            let isDescribed = device.replayedDevice.isDescribed
            guard isDescribed, !devices.contains(where: { $0.name == device.name }) else { continue }
            devices.append(device)
        }
        return (devices, losses)
    }

    /// Returns the paths of the folders that contain a device: `folder`, and those in it.
    private func deviceFolderPaths(in folder: String) -> [String] {
        var folders = DeviceFolder.exists(at: folder) ? [folder] : []
        // Agents used to store the copies of a device in its own folder.
        for parent in ["\(folder)/devices", "\(folder)/copies"] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
            for name in names.sorted() { folders += deviceFolderPaths(in: "\(parent)/\(name)") }
        }
        return folders
    }

    /// Creates the folder of a device.
    ///
    /// - Parameters:
    ///   - name: the name of the device.
    ///   - isFirst: whether it is the first device of the agent.
    /// - Returns: the folder, with an empty journal.
    /// - Throws: `AgentStartError.cannotUseData` if the folder cannot be created.
    func create(for name: String, isFirst: Bool = false) throws(AgentStartError) -> DeviceFolder {
        guard !isFirst else { return try DeviceFolder.open(path) }
        // No device has the name, so an existing journal is left from a copy that was not completed.
        try DeviceFolder.open(folderPath(of: name)).remove()
        let folder = try DeviceFolder.open(folderPath(of: name))
        try syncDirectoryEntries(of: name)
        return folder
    }

    /// Creates the folder of a copy of a device, with the device's journal as it is now.
    ///
    /// - Parameters:
    ///   - folder: the folder of the device.
    ///   - name: the name of the copy.
    /// - Returns: the folder of the copy.
    /// - Throws: `AgentStartError.cannotUseData` if the journal cannot be copied.
    func copy(_ folder: DeviceFolder, named name: String) throws(AgentStartError) -> DeviceFolder {
        let copy = try folder.copy(to: folderPath(of: name))
        try syncDirectoryEntries(of: name)
        return copy
    }

    /// Returns the path of the folder of a device that is not the first.
    private func folderPath(of name: String) -> String {
        "\(path)/devices/\(name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? name)"
    }

    private func syncDirectoryEntries(of name: String) throws(AgentStartError) {
        do throws(SystemError) {
            for folder in [folderPath(of: name), "\(path)/devices"] { try AtomicFile.syncDirectoryEntry(of: folder) }
        } catch {
            throw .cannotUseData("\(folderPath(of: name)): cannot be written: \(error)")
        }
    }
}
