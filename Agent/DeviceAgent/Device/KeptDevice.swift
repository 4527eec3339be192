internal import DeviceJournal
internal import Foundation
internal import WaypostSchema

/// What a folder has of a device: a state that its journal led to, and what happened since.
struct KeptDevice: Sendable {
    /// The state; `nil` for that of a device to which nothing happened.
    var state: DeviceReplay?

    /// What happened since.
    var entries: [JournalEntry]

    /// How many bytes at the journal's end were never safe.
    var lost: Int

    /// A state on the disk, and up to where in the journal it goes.
    struct Snapshot: Codable {
        /// The program that wrote the state: another one's is not read, as its rules may be others.
        var program: String

        /// The end of what led to it.
        var place: JournalPlace

        /// The state.
        var state: DeviceReplay
    }

    /// This program, by its size and by when it was built.
    private static let program: String = {
        let file = try? FileManager.default.attributesOfItem(
            atPath: URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path
        )
        let built = (file?[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
        return "\(file?[.size] as? Int ?? 0) bytes, \(built)"
    }()

    /// Returns the state that is on the disk; `nil` where there is none that can be used.
    static func snapshot(at path: String) -> Snapshot? {
        guard let data = CheckedFile.read(path), let snapshot = try? JSONDecoder().decode(Snapshot.self, from: data),
            snapshot.program == program
        else { return nil }
        return snapshot
    }

    /// Writes a state; where that fails, a start takes longer.
    static func write(_ state: DeviceReplay, upTo place: JournalPlace, to path: String) {
        let snapshot = Snapshot(program: program, place: place, state: state)
        guard let data = try? JSONEncoder().encode(snapshot) else { return }
        CheckedFile.write(data, to: path)
    }
}
