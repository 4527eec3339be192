internal import Foundation

/// The file `commits`, in which the store notes after each commit, before anyone is answered, how far it has come.
///
/// It is written over in place and not synced: it costs one system call, and a crash of the process leaves it whole. Where
/// the machine crashes it may be older than the database, which means nothing; where it is newer, commits that were
/// answered are missing from the database.
final class CommitFile: Sendable {
    private let descriptor: CInt

    /// Opens the file at `path`, an empty one where there is none; `nil` with `errno` set where that cannot be.
    init?(path: String) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
    }

    deinit {
        close(descriptor)
    }

    /// Returns the note in the file; `nil` where there is none that checks.
    func read() -> CommitNote? {
        var bytes = [UInt8](repeating: 0, count: CommitNote.length + 1)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return CommitNote(bytes: Array(bytes.prefix(max(0, count))))
    }

    /// Writes `note` over the one before; `false` where that failed.
    @discardableResult
    func write(_ note: CommitNote) -> Bool {
        let bytes = note.bytes
        return pwrite(descriptor, bytes, bytes.count, 0) == bytes.count
    }

    /// Waits until the file is on the disk; `false` where that failed.
    func sync() -> Bool {
        fdatasync(descriptor) == 0
    }
}
