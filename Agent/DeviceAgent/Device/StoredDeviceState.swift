internal import DeviceJournal
internal import Foundation
internal import JSONScanning
internal import WaypostSchema

/// The stored state of a device: a snapshot, and the journal entries after it.
struct StoredDeviceState: Sendable {
    /// The state of the snapshot, or `nil` to begin without events.
    var state: ReplayedDevice?

    /// The first entries of the journal, up to the last snapshot that the user took before the state.
    var earlierEntries: [JournalEntry] = []

    /// The entries after the snapshot.
    var entries: [JournalEntry]

    /// The events that the journal has lost, if any.
    var loss: JournalLoss?

    /// A state on the disk, and its position in the journal.
    struct Snapshot: Codable {
        /// The program that wrote the state; other programs ignore it, because their rules may differ.
        var program: String

        /// The position in the journal after the last entry that the state includes.
        var place: JournalPosition

        /// The state.
        var state: ReplayedDevice
    }

    /// The identity of this program: its size and its build time.
    private static let program: String = {
        let file = try? FileManager.default.attributesOfItem(
            atPath: URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path
        )
        let buildTime = (file?[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
        return "\(file?[.size] as? Int ?? 0) bytes, \(buildTime)"
    }()

    /// Returns the snapshot on the disk, or `nil` if none can be used.
    static func snapshot(at path: String) -> Snapshot? {
        guard let data = ChecksummedFile.read(path),
            let snapshot = try? DocumentDecoder.decode(Snapshot.self, fromDeepJSON: data), snapshot.program == program
        else { return nil }
        return snapshot
    }

    /// Writes a snapshot; if that fails, the next start takes longer.
    static func write(_ state: ReplayedDevice, upTo position: JournalPosition, to path: String) {
        let snapshot = Snapshot(program: program, place: position, state: state)
        guard let data = try? JSONEncoder().encode(snapshot) else { return }
        ChecksummedFile.write(data, to: path)
    }
}
