internal import DeviceJournal
internal import DeviceModel
internal import Foundation
internal import JSONScanning

/// A state on the disk, and its position in the journal.
///
/// In the file, it is a line of JSON without the notifications, which follow on a line each.
struct SavedState: Codable {
    /// The program that wrote the state; other programs ignore it, because their rules may differ.
    var program: String

    /// The position in the journal after the last entry that the state includes.
    var place: JournalPosition

    /// The state.
    var state: ReplayedDevice

    /// The identity of this program: its size and its build time.
    private static let currentProgram: String = {
        let file = try? FileManager.default.attributesOfItem(
            atPath: URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path
        )
        let buildTime = (file?[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
        return "\(file?[.size] as? Int ?? 0) bytes, \(buildTime)"
    }()

    /// Returns the saved state, or `nil` if none can be used.
    static func read(_ path: String) -> SavedState? {
        ChecksummedFile.read(path).flatMap { SavedState($0, writtenBy: currentProgram) }
    }

    /// Saves a state; if that fails, the next start takes longer.
    static func write(_ state: ReplayedDevice, upTo position: JournalPosition, to path: String) {
        let savedState = SavedState(program: currentProgram, place: position, state: state)
        if let contents = savedState.contents { ChecksummedFile.write(contents, to: path) }
    }
}

extension SavedState {
    /// Reads the contents of a file; `nil` if they are not a state that `program` has written.
    init?(_ contents: Data, writtenBy program: String) {
        let lines = contents.split(separator: UInt8(ascii: "\n"))
        guard let first = lines.first,
            var savedState = try? DocumentDecoder.decode(SavedState.self, fromDeepJSON: first),
            savedState.program == program,
            let notifications = try? lines.dropFirst().map({ line in
                try DocumentDecoder.decode(DetachedNotification.self, fromDeepJSON: line)
            })
        else { return nil }
        savedState.state.attach(notifications)
        self = savedState
    }

    /// The contents of the file; `nil` if the state cannot be encoded.
    var contents: Data? {
        var savedState = self
        let notifications = savedState.state.detachNotifications()
        let encoder = JSONEncoder()
        guard var data = try? encoder.encode(savedState) else { return nil }
        for notification in notifications {
            guard let line = try? encoder.encode(notification) else { return nil }
            data.append(UInt8(ascii: "\n"))
            data.append(line)
        }
        return data
    }
}
