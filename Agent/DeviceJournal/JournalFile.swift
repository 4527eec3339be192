internal import LocalFiles
internal import Synchronization
package import WaypostSchema

/// The file of a journal, which only this process writes.
///
/// Entries are on the disk when `append` returns. If a write fails, the file is restored to its previous state. If that
/// fails too, the journal accepts no more entries.
package final class JournalFile: Sendable {
    /// The state of the file.
    private struct State {
        /// The end of the lines that are on the disk.
        var end: JournalPosition

        /// Whether a failed write left bytes after `end` that could not be removed.
        var isBroken = false
    }

    /// The end of a page of entries: the numbers of lines and bytes before it.
    private struct PageEnd {
        var lines = 0
        var bytes = 0
    }

    /// The number of bytes after which a page of entries ends, so that it needs little memory.
    private static let maximumPageByteCount = 1 << 20

    /// The space in bytes from which a full disk has room again.
    private static let minimumRoom = 1 << 16

    private let file: OpenFile
    private let checkpointFile: OpenFile
    private let path: String
    private let state: Mutex<State>

    /// The end of the last page, from which the next one is read without a search.
    private let lastPageEnd = Mutex(PageEnd())

    /// Returns the path of a journal's checkpoint file, which says how much of the journal is safe.
    package static func checkpointPath(of path: String) -> String {
        path + ".safe"
    }

    /// Continues a journal whose safe lines end at `end`.
    init(_ file: OpenFile, checkpointFile: OpenFile, path: String, end: JournalPosition) {
        self.file = file
        self.checkpointFile = checkpointFile
        self.path = path
        state = Mutex(State(end: end))
    }

    /// Returns a page of entries, read again from the file.
    ///
    /// - Parameters:
    ///   - skippedCount: the number of entries before the page.
    ///   - limit: the maximum number of entries.
    /// - Returns: the entries: none at the end of the journal, and fewer than `limit` if they are long.
    /// - Throws: `JournalError.moved`, or the error of a line that cannot be read.
    package func entries(skipping skippedCount: Int, limit: Int) throws(JournalError) -> [JournalEntry] {
        // Lines on the disk do not change, so those up to here can be read while others are appended.
        let lineCount = end.lines
        guard isStillAtPath else { throw .moved(path) }
        guard skippedCount < lineCount else { return [] }
        var pageEnd = lastPageEnd.withLock(\.self)
        if pageEnd.lines > skippedCount { pageEnd = PageEnd() }
        var lines = JournalLines(of: file, at: path, after: pageEnd.bytes)
        var entries: [JournalEntry] = []
        var pageByteCount = 0
        while pageEnd.lines < lineCount, entries.count < limit, pageByteCount < Self.maximumPageByteCount {
            guard let line = try lines.next() else { throw .damaged(line: pageEnd.lines + 1) }
            if pageEnd.lines >= skippedCount {
                entries.append(try JournalLine.entry(in: line, number: pageEnd.lines + 1))
                pageByteCount += line.count
            }
            pageEnd.lines += 1
            pageEnd.bytes += line.count + 1
        }
        lastPageEnd.withLock { $0 = pageEnd }
        return entries
    }

    /// Whether entries can surely be appended again: the disk has room for some, and no failed write is left in the file.
    ///
    /// A file system that cannot reserve space says nothing about that; only the next entry shows it there.
    package var hasRoom: Bool {
        state.withLock { state in
            guard !state.isBroken else { return false }
            do throws(SystemError) {
                try file.reserveSpace(state.end.bytes..<state.end.bytes + Self.minimumRoom)
                return true
            } catch {
                return false
            }
        }
    }

    /// Whether the file is still at its path.
    package var isStillAtPath: Bool {
        file.isAt(path)
    }

    /// The end of the entries on the disk.
    package var end: JournalPosition {
        state.withLock(\.end)
    }

    /// Appends entries, either all of them or none.
    ///
    /// - Throws: `JournalError.system` if they cannot be written.
    package func append(_ entries: [JournalEntry]) throws(JournalError) {
        try state.withLock { state throws(JournalError) in
            guard !state.isBroken else {
                throw .system("\(path): an earlier write failed, and could not be undone")
            }
            guard isStillAtPath else { throw .moved(path) }
            let bytes = try lines(of: entries, durableLineCount: state.end.lines)
            do throws(JournalError) {
                try changeFile { file throws(SystemError) in
                    try file.write(bytes)
                    try file.syncContents()
                }
            } catch {
                state.isBroken = true
                try changeFile { file throws(SystemError) in
                    try file.truncate(to: state.end.bytes)
                    try file.syncContents()
                }
                state.isBroken = false
                throw error
            }
            guard !entries.isEmpty else { return }
            state.end = JournalPosition(
                lines: state.end.lines + entries.count,
                bytes: state.end.bytes + bytes.count,
                checksum: JournalLine.storedChecksum(of: bytes.dropLast())
            )
            JournalCheckpoint(state.end).write(to: checkpointFile)
        }
    }

    private func lines(of entries: [JournalEntry], durableLineCount: Int) throws(JournalError) -> [UInt8] {
        do {
            return try entries.flatMap { entry in
                try JournalLine(entry: entry, durableLineCount: durableLineCount).bytes + [UInt8(ascii: "\n")]
            }
        } catch {
            throw .system("\(path): an event cannot be written: \(error)")
        }
    }

    /// Changes the file, and turns an error of the system into one of the journal.
    private func changeFile(_ change: (OpenFile) throws(SystemError) -> Void) throws(JournalError) {
        do throws(SystemError) {
            try change(file)
        } catch {
            throw .system("\(path): cannot be written: \(error)")
        }
    }
}
