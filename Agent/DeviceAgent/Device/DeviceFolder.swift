internal import DeviceJournal
internal import Foundation
internal import JSONScanning
internal import LocalFiles
internal import WaypostSchema

/// The folder of a device: the journal, the saved state, the last description and the credentials.
struct DeviceFolder: Sendable {
    private let path: String
    private let journal: JournalFile

    /// Opens a folder whose device the caller has, and creates it if needed.
    ///
    /// - Parameters:
    ///   - path: the path of the folder.
    ///   - position: the position in the journal up to which the caller has the device.
    /// - Returns: the folder.
    /// - Throws: `AgentStartError.cannotUseData` if the folder or its journal cannot be used.
    static func open(_ path: String, from position: JournalPosition = .start) throws(AgentStartError) -> DeviceFolder {
        try open(path, from: position) { journal throws(JournalError) in try journal.recover { _ in } }.folder
    }

    /// Opens a folder, and creates it if needed.
    ///
    /// - Parameters:
    ///   - path: the path of the folder.
    ///   - position: the position from which its journal is read.
    ///   - read: reads the journal.
    /// - Returns: the folder, and its journal.
    /// - Throws: `AgentStartError.cannotUseData` if the folder or its journal cannot be used.
    static func open(
        _ path: String,
        from position: JournalPosition,
        read: (UnreadJournal) throws(JournalError) -> RecoveredJournal
    ) throws(AgentStartError) -> (folder: DeviceFolder, journal: RecoveredJournal) {
        do {
            try AtomicFile.createFolder(path)
        } catch {
            throw .cannotUseData("\(path): the folder cannot be created: \(SystemError.reason(of: error))")
        }
        do throws(JournalError) {
            let journal = try read(UnreadJournal(journalPath(in: path), from: position))
            return (DeviceFolder(path: path, journal: journal.file), journal)
        } catch {
            throw .cannotUseData("\(error)")
        }
    }

    /// Appends entries to the journal; they are on the disk when this returns.
    ///
    /// - Throws: `AgentError.dataMoved` or `AgentError.journalWriteFailed`.
    func append(_ entries: [JournalEntry]) throws(AgentError) {
        do throws(JournalError) {
            try journal.append(entries)
        } catch .moved(let path) {
            throw .dataMoved(path)
        } catch {
            throw .journalWriteFailed("\(error)")
        }
    }

    /// Returns a page of the journal's entries.
    ///
    /// - Parameters:
    ///   - skippedCount: the number of entries before the page.
    ///   - limit: the maximum number of entries.
    /// - Returns: the entries: none at the end of the journal, and fewer than `limit` if they are long.
    /// - Throws: `AgentError.dataMoved`, or `JournalError` if the journal cannot be read.
    func entries(skipping skippedCount: Int, limit: Int) throws -> [JournalEntry] {
        do throws(JournalError) {
            return try journal.entries(skipping: skippedCount, limit: limit)
        } catch .moved(let path) {
            throw AgentError.dataMoved(path)
        }
    }

    /// Whether entries can probably be appended to the journal.
    var hasRoom: Bool {
        journal.hasRoom
    }

    /// Whether the journal is still at its path.
    var isStillAtPath: Bool {
        journal.isStillAtPath
    }

    /// The end of the journal.
    var end: JournalPosition {
        journal.end
    }

    /// Saves the state at a position in the journal, so that the next start need not replay the whole
    /// journal.
    func save(_ state: ReplayedDevice, upTo position: JournalPosition) {
        SavedState.write(state, upTo: position, to: statePath)
    }

    /// Returns the state that was saved in a folder, or `nil` if none can be used.
    static func savedState(in path: String) -> SavedState? {
        SavedState.read(statePath(in: path))
    }

    // MARK: The folder

    /// Whether a folder has a journal, or had one that was lost.
    static func exists(at path: String) -> Bool {
        let journal = journalPath(in: path)
        let paths = [journal, JournalFile.checkpointPath(of: journal)]
        return paths.contains { FileManager.default.fileExists(atPath: $0) }
    }

    /// Creates the folder of a copy, with the current journal and the saved state.
    ///
    /// The journal is copied but not read, because the caller has the device at its end.
    ///
    /// - Parameter copyPath: the path of the new folder.
    /// - Returns: the folder.
    /// - Throws: `AgentStartError.cannotUseData` if the journal cannot be copied.
    func copy(to copyPath: String) throws(AgentStartError) -> DeviceFolder {
        do {
            // An existing folder is left from a failed attempt.
            try? FileManager.default.removeItem(atPath: copyPath)
            try AtomicFile.createFolder(copyPath)
            let copyJournalPath = Self.journalPath(in: copyPath)
            try FileManager.default.copyItem(atPath: journalPath, toPath: copyJournalPath)
            try AtomicFile.syncDirectoryEntry(of: copyJournalPath)
            // Without it, the next start of the copy replays the whole journal.
            if let savedState = try? OpenFile(path: statePath) {
                try? AtomicFile.copy(savedState, to: Self.statePath(in: copyPath))
            }
            return try DeviceFolder.open(copyPath, from: end)
        } catch {
            // The next start would find the incomplete copy.
            try? FileManager.default.removeItem(atPath: copyPath)
            throw .cannotUseData("\(copyPath): the device cannot be copied: \(error)")
        }
    }

    /// Removes the device, the journal last, so that a removal that is interrupted can be repeated.
    ///
    /// The folder remains if it contains other devices.
    func remove() {
        for file in [
            statePath, descriptionPath, appCredentialsPath, credentialPath,
            JournalFile.checkpointPath(of: journalPath), journalPath,
        ] {
            try? FileManager.default.removeItem(atPath: file)
        }
        rmdir(path)
    }

    private var statePath: String {
        Self.statePath(in: path)
    }

    private var journalPath: String {
        Self.journalPath(in: path)
    }

    private static func statePath(in path: String) -> String {
        path + "/snapshot.json"
    }

    private static func journalPath(in path: String) -> String {
        path + "/journal.jsonl"
    }

    // MARK: The credentials of apps

    private var appCredentialsPath: String {
        path + "/apps.json"
    }

    /// The credentials of app processes; empty if they cannot be read.
    var appCredentials: [BundleIdentifier: BearerSecret] {
        let storedCredentials: [String: BearerSecret] = read(appCredentialsPath) ?? [:]
        return Dictionary(uniqueKeysWithValues: storedCredentials.map { (BundleIdentifier(rawValue: $0), $1) })
    }

    /// Stores the credentials of app processes; if that fails, they get new ones after a restart.
    func save(_ credentials: [BundleIdentifier: BearerSecret]) {
        write(Dictionary(uniqueKeysWithValues: credentials.map { ($0.rawValue, $1) }), to: appCredentialsPath)
    }

    // MARK: The description

    private var descriptionPath: String {
        path + "/described.json"
    }

    /// The device's description at the last start, or `nil` if it cannot be read.
    var lastDescription: DeviceDescription? {
        read(descriptionPath)
    }

    /// Stores the device's description; if that fails, the next start applies the description again.
    func save(_ description: DeviceDescription) {
        write(description, to: descriptionPath)
    }

    // MARK: The credential

    private var credentialPath: String {
        path + "/credential.json"
    }

    /// The device's credential at the gateway, or `nil` if the device was not registered or the file cannot be read.
    var credential: StoredCredential? {
        read(credentialPath)
    }

    /// Stores the device's credential at the gateway, atomically and in a file that others cannot read.
    ///
    /// It is on the disk when this returns.
    ///
    /// - Throws: `SystemError`; after a restart, a device without credential is registered again.
    func save(_ credential: StoredCredential?) throws(SystemError) {
        guard let credential else {
            try? FileManager.default.removeItem(atPath: credentialPath)
            return
        }
        guard let data = try? JSONEncoder().encode(credential) else { return }
        try AtomicFile.write(Array(data), to: credentialPath)
        try AtomicFile.syncDirectoryEntry(of: credentialPath)
    }

    private func read<Value: Decodable>(_ path: String) -> Value? {
        guard let bytes = try? OpenFile(path: path).read() else { return nil }
        return try? DocumentDecoder.decode(Value.self, from: bytes)
    }

    /// Writes a file that others cannot read, atomically.
    private func write(_ value: some Encodable, to path: String) {
        guard let data = try? JSONEncoder().encode(value) else { return }
        try? AtomicFile.write(Array(data), to: path)
    }
}
