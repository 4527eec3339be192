/// The file `commits`, in which the store notes after each commit, before anyone is answered, how far it has come.
///
/// It is written over in place and not synced: it costs one system call, and a crash of the process leaves it whole. Where
/// the machine crashes it may be older than the database, which means nothing; where it is newer, commits that were
/// answered are missing from the database.
struct CommitFile: Sendable {
    private let file: OpenFile

    /// Opens the file at `path`, an empty one where there is none.
    init(path: String) throws(OpenFile.Fault) {
        file = try OpenFile(path: path)
    }

    /// Returns the note in the file; `nil` where there is none that checks.
    func read() throws(OpenFile.Fault) -> CommitNote? {
        CommitNote(bytes: try file.read(upTo: CommitNote.length + 1))
    }

    /// Writes `note` over the one before; `false` where that failed.
    @discardableResult
    func write(_ note: CommitNote) -> Bool {
        file.overwrite(with: note.bytes)
    }

    /// Waits until the file is on the disk; `false` where that failed.
    func sync() -> Bool {
        file.sync()
    }
}
