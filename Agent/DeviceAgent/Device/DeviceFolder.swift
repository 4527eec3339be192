internal import DeviceJournal
internal import Foundation
internal import LocalFiles
internal import WaypostSchema

/// What an agent keeps of its device on the disk: the journal, its last description, and what the gateway knows it by.
struct DeviceFolder: Sendable {
    private let path: String
    private let journal: JournalFile

    /// Opens a folder, which is made where it is not there.
    ///
    /// - Returns: the folder, and what was in its journal.
    /// - Throws: `AgentStartError.cannotUseData`.
    static func open(_ path: String) throws(AgentStartError) -> (folder: DeviceFolder, kept: KeptDevice) {
        do {
            try WholeFile.createFolder(path)
        } catch {
            throw .cannotUseData("\(path): the folder cannot be made: \(error.localizedDescription)")
        }
        do throws(JournalError) {
            let snapshot = KeptDevice.snapshot(at: path + "/snapshot.json")
            let (journal, found, isBehind) = try JournalFile.open(
                path + "/journal.jsonl",
                from: snapshot?.place ?? .start
            )
            let state = isBehind ? snapshot?.state : nil
            return (
                DeviceFolder(path: path, journal: journal),
                KeptDevice(state: state, entries: found.entries, lost: found.lost)
            )
        } catch {
            throw .cannotUseData("\(error)")
        }
    }

    /// Writes to the journal; what is written is on the disk once this returns.
    func append(_ entries: [JournalEntry]) throws(AgentStartError) {
        do throws(JournalError) {
            try journal.append(entries)
        } catch {
            throw .cannotUseData("\(error)")
        }
    }

    /// Notes the state that the journal led to, so that the next start need not replay what led to it.
    func note(_ state: DeviceReplay) {
        KeptDevice.write(state, upTo: journal.end, to: path + "/snapshot.json")
    }

    // MARK: Copies

    private var copiesPath: String {
        path + "/copies"
    }

    /// The folders of the copies of the device, in the order of their names.
    ///
    /// - Throws: `AgentStartError.cannotUseData` where one cannot be used.
    func copies() throws(AgentStartError) -> [(folder: DeviceFolder, kept: KeptDevice)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: copiesPath)) ?? []
        var copies: [(folder: DeviceFolder, kept: KeptDevice)] = []
        for name in names.sorted() { copies.append(try DeviceFolder.open("\(copiesPath)/\(name)")) }
        return copies
    }

    /// Makes the folder of a copy, with the journal as it is now.
    ///
    /// - Parameter name: the name of the copy.
    /// - Returns: the folder.
    /// - Throws: `AgentStartError.cannotUseData`.
    func copy(named name: String) throws(AgentStartError) -> DeviceFolder {
        let escaped = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? name
        let copy = "\(copiesPath)/\(escaped)"
        do {
            // What is there is left from an attempt that failed.
            try? FileManager.default.removeItem(atPath: copy)
            try WholeFile.createFolder(copy)
            try FileManager.default.copyItem(atPath: journalPath, toPath: copy + "/journal.jsonl")
            for new in [copy, copiesPath] { try WholeFile.syncEntry(of: new) }
            return try DeviceFolder.open(copy).folder
        } catch {
            // What is half a copy would be found at the next start.
            try? FileManager.default.removeItem(atPath: copy)
            throw .cannotUseData("\(copy): the device cannot be copied: \(error)")
        }
    }

    /// Removes the folder.
    func remove() {
        try? FileManager.default.removeItem(atPath: path)
    }

    private var journalPath: String {
        path + "/journal.jsonl"
    }

    // MARK: The credentials of apps

    private var appsPath: String {
        path + "/apps.json"
    }

    /// What processes of apps attach with; none where that cannot be read.
    var appCredentials: [BundleIdentifier: AgentSecret] {
        let kept: [String: AgentSecret] = read(appsPath) ?? [:]
        return Dictionary(uniqueKeysWithValues: kept.map { (BundleIdentifier(rawValue: $0), $1) })
    }

    /// Keeps what processes of apps attach with; where it cannot be written, they are given others after a restart.
    func keep(_ credentials: [BundleIdentifier: AgentSecret]) {
        write(Dictionary(uniqueKeysWithValues: credentials.map { ($0.rawValue, $1) }), to: appsPath)
    }

    // MARK: The description

    private var descriptionPath: String {
        path + "/described.json"
    }

    /// What the device was described as when the agent started last; `nil` where that cannot be read.
    var described: DeviceDescription? {
        read(descriptionPath)
    }

    /// Keeps what the device is described as; where it cannot be written, the next start describes the device again.
    func keep(_ description: DeviceDescription) {
        write(description, to: descriptionPath)
    }

    // MARK: The credential

    private var credentialPath: String {
        path + "/credential.json"
    }

    /// What the gateway knew the device by; `nil` where it was not registered, or where that cannot be read.
    var credential: DeviceCredential? {
        read(credentialPath)
    }

    /// Keeps what the gateway knows the device by in a file that others may not read, and that is whole or not there.
    ///
    /// Where it cannot be written, the device is registered anew after a restart.
    func keep(_ credential: DeviceCredential?) {
        guard let credential else {
            try? FileManager.default.removeItem(atPath: credentialPath)
            return
        }
        write(credential, to: credentialPath)
    }

    private func read<Value: Decodable>(_ path: String) -> Value? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        return try? JSONDecoder().decode(Value.self, from: data)
    }

    /// Writes a file that others may not read, whole or not at all.
    private func write(_ value: some Encodable, to path: String) {
        guard let data = try? JSONEncoder().encode(value) else { return }
        try? WholeFile.write(Array(data), to: path)
    }
}
